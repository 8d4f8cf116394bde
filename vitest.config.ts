import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { untestable } from './test/support/peers.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...untestable()],
    globalSetup: ['test/support/global-setup.ts'],
    // Many tests wait for real servers, workers and browsers more than they work.
    maxWorkers: Math.max(4, availableParallelism() + 1),
    // Files of one process share the modules of others, not ours: half of a small file's time went into
    // loading them anew.
    isolate: false,
    // A browser or a server of a busy machine may be late once, and the report says so.
    retry: process.env['CI'] ? 1 : 0,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
