import { newId } from '#lib/id.ts';
import { addToList } from '../../../src/campaigns/lists/add-to-list.ts';
import { apply, exported } from '../../support/manifest.ts';
import { merging } from '../../support/merging.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';
import {
  CAMPAIGN,
  clients,
  LAYOUT,
  recipientsOf,
  MANIFEST,
  setUpCampaigns,
} from '../campaigns.support.ts';

/** Starts a campaign to the list. Returns the addresses of its recipients. */
async function audience(service: TestService, listId: string | undefined): Promise<string[]> {
  const body = { ...CAMPAIGN, listId };
  const { id } = (await service.call('POST /api/v1/campaigns', { body })).body.data;
  await service.call(`POST /api/v1/campaigns/${id}/send`);
  return (await recipientsOf(service, id)).map(({ address }) => address);
}

describe('the manifest', () => {
  test('exports lists and templates as they were applied', async ({ service }) => {
    await setUpCampaigns(service);
    const { lists, templates } = await exported(service);
    expect(templates).toEqual(MANIFEST.templates);
    expect(lists).toEqual([
      { key: 'clients', name: 'Clients', active: true, filter: { tags: ['client'] } },
      { key: 'chosen', name: 'Chosen', active: true },
    ]);
    const again = await apply(service, { lists, templates });
    expect(again).toMatchObject({ created: [], updated: [], removed: [], unchanged: 3 });
  });

  test('is refused for an unknown default list, and for an invalid filter', async ({ service }) => {
    const template = { key: 'x', name: 'X', html: LAYOUT, defaultList: 'unknown' };
    await expect(apply(service, { templates: [template] })).rejects.toThrow(/defaultList/);
    const list = { key: 'x', name: 'X', filter: { stage: ['lead'] } };
    await expect(apply(service, { lists: [list] })).rejects.toThrow(/filter\/stage/);
  });

  test('keeps the members of a static list', async ({ service }) => {
    const lists = await setUpCampaigns(service);
    await clients(service, ['ada@example.com']);
    await service.transact(service.subAccountId, service.actor, (work) =>
      addToList(work, 'chosen', ['ada@example.com']),
    );
    await setUpCampaigns(service, { lists: [{ key: 'chosen', name: 'Others' }] });
    expect(await audience(service, lists['chosen'])).toEqual(['ada@example.com']);
  });
});

describe('a list', () => {
  test('with a filter contains contacts with all of its tags, in one of its stages', async ({
    service,
  }) => {
    const filter = { tags: ['VIP', 'client'], lifecycleStage: ['customer', 'repeat'] };
    const lists = await setUpCampaigns(service, {
      ...MANIFEST,
      lists: [...MANIFEST.lists, { key: 'best', name: 'Best', filter }],
    });
    for (const [name, tags, lifecycleStage] of [
      ['ada', ['client', 'vip'], 'customer'],
      ['bob', ['client'], 'customer'],
      ['cy', ['client', 'Vip', 'x'], 'repeat'],
      ['dee', ['client', 'vip'], 'lead'],
    ] as const) {
      const body = { firstName: name, lastName: 'L', email: `${name}@example.com` };
      await service.call('POST /api/v1/contacts', { body: { ...body, tags, lifecycleStage } });
    }
    expect(await audience(service, lists['best'])).toEqual(['ada@example.com', 'cy@example.com']);
  });

  test('with an empty filter contains every contact with an email', async ({ service }) => {
    const lists = await setUpCampaigns(service, {
      ...MANIFEST,
      lists: [...MANIFEST.lists, { key: 'all', name: 'All', filter: {} }],
    });
    await clients(service, ['ada@example.com']);
    const bob = { firstName: 'Bob', lastName: 'L' };
    await service.call('POST /api/v1/contacts', { body: bob });
    await service.call('POST /api/v1/contacts', { body: { ...bob, email: 'bob@example.com' } });
    expect(await audience(service, lists['all'])).toEqual(['ada@example.com', 'bob@example.com']);
  });

  test('contains the kept contact after a member was merged into it', async ({ service }) => {
    const lists = await setUpCampaigns(service);
    const ids = await clients(service, ['ada@example.com', 'bob@example.com']);
    await service.transact(service.subAccountId, service.actor, (work) =>
      addToList(work, 'chosen', ['bob@example.com']),
    );
    const body = { contactId: ids['bob@example.com'] };
    await service.call(`POST /api/v1/contacts/${ids['ada@example.com']}/merge`, { body });
    expect(await audience(service, lists['chosen'])).toEqual(['ada@example.com']);
  });

  test('adds the kept contact if a contact is merged while it is added', async ({ service }) => {
    const lists = await setUpCampaigns(service);
    const ids = await clients(service, ['ada@example.com', 'bob@example.com']);
    const [ada, bob] = [ids['ada@example.com'], ids['bob@example.com']];
    const merge = await merging(service, [
      [
        'select from contacts where sub_account_id = $1 and id = any($2) for update',
        [service.subAccountId, [ada, bob]],
      ],
      ['update contact_emails set contact_id = $2 where contact_id = $1', [bob, ada]],
      ['update contacts set deleted_at = now() where id = $1', [bob]],
    ]);
    const adding = service.transact(service.subAccountId, service.actor, (work) =>
      addToList(work, 'chosen', ['bob@example.com']),
    );
    await expect.poll(merge.isWaitedFor, { timeout: 60_000 }).toBe(true);
    await merge.end();
    expect(await adding).toEqual([{ email: 'bob@example.com', contactId: ada, added: true }]);
    expect(await audience(service, lists['chosen'])).toEqual(['ada@example.com']);
  });

  test.for([20_000, 20_001])('of %i is written completely', async (size, { service }) => {
    const lists = await setUpCampaigns(service);
    await service.database.rows(
      `insert into contacts (sub_account_id, id, first_name, last_name, email, tags, lifecycle_stage,
         addresses, created_at, updated_at)
       select $1, new_id(), 'Guest', n::text, 'guest' || n || '@example.com', '{client}', 'lead',
         array['guest' || n || '@example.com'], now(), now()
       from generate_series(1, $2::int) as n`,
      [service.subAccountId, size],
    );
    const body = { ...CAMPAIGN, listId: lists['clients'] };
    const { id } = (await service.call('POST /api/v1/campaigns', { body })).body.data;
    const sent = await service.call(`POST /api/v1/campaigns/${id}/send`);
    expect(sent.status).toBe(200);
    const [counted] = await service.database.rows(
      `select count(distinct contact_id)::int as contacts, count(distinct address)::int as addresses
       from campaign_recipients where campaign_id = $1`,
      [id],
    );
    expect(counted).toEqual({ contacts: size, addresses: size });
  });
});

test('ids made by the database have the same form as those of processes', async ({ service }) => {
  const rows = await service.database.rows<{ id: string }>('select new_id() as id');
  const [made] = rows.map(({ id }) => id);
  expect(made).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  const now = new Date();
  expect((made ?? '').slice(0, 8)).toBe(newId(now).slice(0, 8));
});
