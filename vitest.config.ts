import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { untestable } from './test/support/peers.ts';
import { SlowFirst } from './test/support/slow-first.ts';

/** Tests wait for conditions: these limits end only a test that hangs, on however busy a machine. */
const WAIT_MAX_MS = 60_000;
/** A test that migrates on a cluster distributes all tables each time. */
const TEST_MAX_MS = (process.env['TEST_CITUS'] ? 10 : 3) * WAIT_MAX_MS;

/** Tests of nodes that copy data or fail for minutes: only `npm run test:citus` runs them, with all others. */
const LONG = process.env['TEST_CITUS'] ? ['test/**/*.long.citus.ts'] : [];

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', ...LONG],
    exclude: [...configDefaults.exclude, ...untestable()],
    globalSetup: ['test/support/global-setup.ts'],
    // Many tests wait for real servers, workers and browsers more than they work.
    maxWorkers: Math.max(4, availableParallelism() + 1),
    // Files of one worker share all modules: loading them again took half of a small file's time.
    isolate: false,
    sequence: { sequencer: SlowFirst },
    expect: { poll: { timeout: WAIT_MAX_MS, interval: 20 } },
    testTimeout: TEST_MAX_MS,
    hookTimeout: TEST_MAX_MS,
  },
});
