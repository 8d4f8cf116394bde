import { alternate } from '../compare.ts';
import { requestText } from '../hammer.ts';
import { createRequest, NEW_CONTACT } from '../sample.ts';
import type { Scenario } from '../scenario.ts';
import { median } from '../statistics.ts';

const AT_LEAST = 0.8;

export const upsertContact: Scenario = {
  name: 'upsert-contact',
  async measure(ground) {
    const { spare } = ground;
    const upsert = requestText('POST /api/v1/contacts/upsert', [spare.authorization], NEW_CONTACT);
    const [creates = [], upserts = []] = await alternate(ground, [
      [createRequest(spare)],
      [upsert],
    ]);
    const ratios = upserts.map(({ perSecond }, round) => perSecond / creates[round]!.perSecond);
    return [
      {
        what: 'a contact that is new; bare: create-contact',
        unit: 'requests/s',
        bare: median(creates.map(({ perSecond }) => perSecond)),
        product: median(upserts.map(({ perSecond }) => perSecond)),
        ratio: median(ratios),
        bound: { atLeast: AT_LEAST },
        p50Ms: median(upserts.map(({ p50Ms }) => p50Ms)),
        p99Ms: median(upserts.map(({ p99Ms }) => p99Ms)),
      },
    ];
  },
};
