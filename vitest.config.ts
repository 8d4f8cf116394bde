import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { untestable } from './test/support/peers.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...untestable()],
    globalSetup: ['test/support/global-setup.ts'],
    // Real servers, databases and browsers work beside the tests.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // A browser or a server of a busy machine may be late once, and the report says so.
    retry: process.env['CI'] ? 1 : 0,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
