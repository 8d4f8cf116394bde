import { clients, newCampaign, setUpCampaigns } from '../campaigns/campaigns.support.ts';
import { signInAs } from '../support/people.ts';
import { expect, test } from '../support/service.ts';

const V1 = '/console/api/v1';

test('the progress of a campaign adds up', async ({ service }) => {
  await setUpCampaigns(service);
  const ids = await clients(service, ['ada@example.com']);
  const id = await newCampaign(service);
  const { call } = await signInAs(service, 'admin');
  const progress = async () => (await call(`GET ${V1}/campaigns/${id}/progress`)).body.data;
  expect(await progress()).toEqual([]);
  await service.database.rows(
    `insert into campaign_recipients (sub_account_id, id, campaign_id, contact_id, email, address,
       status, settled_at)
     select $1, gen_random_uuid(), $2, $3, n, n, status,
       case when status <> 'pending' then timestamptz '2026-11-23T09:00:00Z' + n * interval '1 s' end
     from generate_series(0, 240) as n,
       lateral (select case when n < 200 then 'sent' when n < 220 then 'skipped' else 'pending' end
         as status) as one`,
    [service.subAccountId, id, ids['ada@example.com']],
  );
  const points = await progress();
  expect(points.length).toBeGreaterThan(50);
  expect(points.length).toBeLessThanOrEqual(60);
  // Mails that were never sent do not count.
  expect(points.at(-1).sent).toBe(200);
  expect(points[0].at).toBe(Date.parse('2026-11-23T09:00:00Z'));
  const counts = points.map(({ sent }: any) => sent);
  expect(counts).toEqual(counts.toSorted((a: number, b: number) => a - b));
});
