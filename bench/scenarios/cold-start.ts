import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { FRONTDESK } from '../processes.ts';
import { median } from '../statistics.ts';
import type { Scenario } from '../scenario.ts';

const STARTS = 10;
const SERVE_AT_MOST_MS = 400;
const HELP_AT_MOST_MS = 200;

export const coldStart: Scenario = {
  name: 'cold-start',
  async measure({ startProduct }) {
    const serving: number[] = [];
    const helping: number[] = [];
    for (let start = 0; start < STARTS; start += 1) {
      const server = await startProduct();
      serving.push(server.startMs);
      await server.stop();
      const startedAt = performance.now();
      await promisify(execFile)(FRONTDESK, ['--help']);
      helping.push(performance.now() - startedAt);
    }
    return [
      {
        what: '`serve` from exec to the first answer, warm cache',
        unit: 'ms',
        product: median(serving),
        bound: { atMost: SERVE_AT_MOST_MS },
      },
      {
        what: '`--help`, warm cache',
        unit: 'ms',
        product: median(helping),
        bound: { atMost: HELP_AT_MOST_MS },
      },
    ];
  },
};
