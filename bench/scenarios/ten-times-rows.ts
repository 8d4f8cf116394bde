import { alternate } from '../compare.ts';
import type { Ground, SubAccount } from '../ground.ts';
import { median } from '../statistics.ts';
import { createRequest, getRequest, someContactIds } from '../sample.ts';
import type { Finding, Scenario } from '../scenario.ts';

const TIMES_AT_MOST = 1.3;

type RequestsOf = (ground: Ground, account: SubAccount) => Promise<string[]>;

/** Compares the small sub-account with the large one. */
export const tenTimesRows: Scenario = {
  name: 'ten-times-rows',
  measure: async (ground) => [
    await growth(ground, 'GET', async (_, account) =>
      (await someContactIds(ground, account)).map((id) =>
        getRequest(account, `/api/v1/contacts/${id}`),
      ),
    ),
    await growth(ground, 'list', async (_, account) => [getRequest(account, '/api/v1/contacts')]),
    await growth(ground, 'create', async (_, account) => [createRequest(account)]),
  ],
};

async function growth(ground: Ground, what: string, requestsOf: RequestsOf): Promise<Finding> {
  const { spare, large } = ground;
  const lists = [await requestsOf(ground, spare), await requestsOf(ground, large)];
  const [few = [], many = []] = await alternate(ground, lists);
  return {
    what: `${what}: p50 at ten times the rows`,
    unit: 'ms',
    bare: median(few.map(({ p50Ms }) => p50Ms)),
    product: median(many.map(({ p50Ms }) => p50Ms)),
    ratio: median(many.map(({ p50Ms }, round) => p50Ms / (few[round]?.p50Ms ?? Number.NaN))),
    bound: { atMost: TIMES_AT_MOST },
  };
}
