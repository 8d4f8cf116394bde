import { setTimeout as sleep } from 'node:timers/promises';
import { hammer } from '../hammer.ts';
import { residentMb } from '../machine.ts';
import { createRequest, getRequest, someContactIds } from '../sample.ts';
import type { Scenario } from '../scenario.ts';

const IDLE_MB = 120;
const LOADED_MB = 220;
const SETTLE_MS = 3_000;
const CONNECTIONS = 32;
const SEARCH = '/api/v1/contacts?search=belmonte';

/** Measures a new process after its start, and after a minute of mixed load. */
export const residentMemory: Scenario = {
  name: 'resident-memory',
  async measure(ground) {
    const { small, spare, sizing } = ground;
    const server = await ground.startProduct();
    await sleep(SETTLE_MS);
    const idle = await residentMb(server.pid);
    const gets = (await someContactIds(ground, small)).flatMap((id, n) => [
      getRequest(small, `/api/v1/contacts/${id}`),
      ...(n % 4 === 0 ? [getRequest(small, '/api/v1/contacts'), createRequest(spare)] : []),
      ...(n % 40 === 0 ? [getRequest(small, SEARCH)] : []),
    ]);
    await hammer({
      origin: server.url,
      requests: gets,
      connections: CONNECTIONS,
      seconds: sizing.minuteSeconds,
    });
    const loaded = await residentMb(server.pid);
    await server.stop();
    return [
      { what: 'idle', unit: 'MB', product: idle ?? Number.NaN, bound: { atMost: IDLE_MB } },
      {
        what: `after ${sizing.minuteSeconds} s of full load`,
        unit: 'MB',
        product: loaded ?? Number.NaN,
        bound: { atMost: LOADED_MB },
      },
    ];
  },
};
