import { median } from '../statistics.ts';
import type { Scenario } from '../scenario.ts';

const STARTS = 10;
const AT_MOST_MS = 400;

export const coldStart: Scenario = {
  name: 'cold-start',
  async measure({ startProduct }) {
    const times: number[] = [];
    for (let start = 0; start < STARTS; start += 1) {
      const server = await startProduct();
      times.push(server.startMs);
      await server.stop();
    }
    return [
      {
        what: '`serve` from exec to the first answer, warm cache',
        unit: 'ms',
        product: median(times),
        bound: { atMost: AT_MOST_MS },
      },
    ];
  },
};
