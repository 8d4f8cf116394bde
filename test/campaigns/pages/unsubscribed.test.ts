import { suppressAddress } from '../../../src/contacts/consent/suppressions.ts';
import { linksOf, UNSUBSCRIBE } from '../../../src/campaigns/compose/campaign-links.ts';
import { signInAs } from '../../support/people.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';
import { CAMPAIGN, clients, recipientsOf, setUpCampaigns } from '../campaigns.support.ts';

const [ADA, BEN] = ['ada@example.com', 'ben@example.com'];

/** Starts a campaign to two contacts. Returns its id and the links in its mails, by address. */
async function started(service: TestService) {
  const { subAccountId, secrets, url } = service;
  const { id } = (await service.call('POST /api/v1/campaigns', { body: CAMPAIGN })).body.data;
  await service.call(`POST /api/v1/campaigns/${id}/send`);
  const linkOf = linksOf(UNSUBSCRIBE, secrets, url);
  const links = (await recipientsOf(service, id)).map((one): [string, string] => [
    one.address,
    linkOf({ subAccountId, id: one.id }),
  ]);
  return { id: id as string, links: Object.fromEntries(links) };
}

async function setUp(service: TestService): Promise<void> {
  await setUpCampaigns(service);
  await clients(service, [ADA, BEN]);
}

const submit = (link = '', form = 'List-Unsubscribe=One-Click') =>
  fetch(link, {
    method: 'POST',
    body: form,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });

/** Returns what the console shows of a campaign: the number, and the addresses that unsubscribed. */
async function shownOf(service: TestService, id: string) {
  const { call } = await signInAs(service, 'admin');
  const path = `/console/api/v1/campaigns/${id}`;
  const { unsubscribed } = (await call(`GET ${path}`)).body.data;
  const rows: any[] = (await call(`GET ${path}/recipients`)).body.data;
  return {
    unsubscribed,
    addresses: rows.filter((row) => row.unsubscribedAt !== null).map((row) => row.email),
  };
}

describe('a campaign counts the recipients who unsubscribed by the link in its mail', () => {
  test('once, however often they press the button', async ({ service }) => {
    await setUp(service);
    const { id, links } = await started(service);
    expect(await shownOf(service, id)).toEqual({ unsubscribed: 0, addresses: [] });
    await submit(links[ADA]);
    const [first] = await recipientsOf(service, id);
    service.clock.advance(60_000);
    await submit(links[ADA]);
    expect(await shownOf(service, id)).toEqual({ unsubscribed: 1, addresses: [ADA] });
    expect((await recipientsOf(service, id))[0]).toEqual(first);
  });

  test('until they subscribe again by it', async ({ service }) => {
    await setUp(service);
    const { id, links } = await started(service);
    await submit(links[ADA]);
    await submit(links[BEN]);
    await submit(links[ADA], 'save=1&email=on');
    expect(await shownOf(service, id)).toEqual({ unsubscribed: 1, addresses: [BEN] });
  });

  test('not for another campaign, which they left before', async ({ service }) => {
    await setUp(service);
    const before = await started(service);
    const after = await started(service);
    await submit(after.links[ADA]);
    await submit(before.links[ADA]);
    expect(await shownOf(service, before.id)).toEqual({ unsubscribed: 0, addresses: [] });
    expect(await shownOf(service, after.id)).toEqual({ unsubscribed: 1, addresses: [ADA] });
  });

  test('not for an address that was suppressed by other means', async ({ service }) => {
    await setUp(service);
    const { id, links } = await started(service);
    await service.transact(service.subAccountId, service.actor, (work) =>
      suppressAddress(work, { channel: 'email', address: ADA, reason: 'manual' }),
    );
    await submit(links[ADA]);
    await submit(links[BEN], 'save=1&email=on');
    expect(await shownOf(service, id)).toEqual({ unsubscribed: 0, addresses: [] });
  });

  test('also in the list of campaigns', async ({ service }) => {
    await setUp(service);
    const none = await started(service);
    const { id, links } = await started(service);
    await submit(links[BEN]);
    const { call } = await signInAs(service, 'admin');
    const rows: any[] = (await call('GET /console/api/v1/campaigns')).body.data;
    expect(rows.map((row) => [row.id, row.unsubscribed])).toEqual([
      [id, 1],
      [none.id, 0],
    ]);
  });
});
