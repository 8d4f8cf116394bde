import { suppressAddress } from '../../src/contacts/consent/suppressions.ts';
import { createContact } from '../../src/contacts/create-contact.ts';
import {
  CAMPAIGN,
  clients,
  LAYOUT,
  MANIFEST,
  newCampaign,
  setUpCampaigns,
} from '../campaigns/campaigns.support.ts';
import { apply } from '../support/manifest.ts';
import { signInAs } from '../support/people.ts';
import { vi } from 'vitest';
import { describe, expect, OPERATOR, test } from '../support/service.ts';

const V1 = '/console/api/v1';

describe('the audience of a list', () => {
  test('counts the mails and names who is left out, with the reason', async ({ service }) => {
    const lists = await setUpCampaigns(service);
    const ids = await clients(service, ['ada@example.com', 'ben@example.com', 'cleo@example.com']);
    const { call } = await signInAs(service, 'admin');
    await service.transact(service.subAccountId, OPERATOR, async (work) => {
      const address = 'ada@example.com';
      await suppressAddress(work, { channel: 'email', address, reason: 'unsubscribe' });
      await createContact(work, { firstName: 'Dan', lastName: 'Guest', tags: ['client'] });
    });
    await service.call(`PATCH /api/v1/contacts/${ids['ben@example.com']}`, {
      body: { dnd: { email: true } },
    });
    const path = `GET ${V1}/campaign-lists/${lists['clients']}/audience`;
    const { data } = (await call(path)).body;
    expect(data).toMatchObject({
      contacts: 4,
      mails: 1,
      leftOut: { no_email: 1, do_not_disturb: 1, opted_out: 1 },
    });
    expect(data.examples).toHaveLength(3);
    expect(data.examples).toEqual(
      expect.arrayContaining([
        {
          contactId: ids['ada@example.com'],
          name: 'ada Guest',
          email: 'ada@example.com',
          reason: 'opted_out',
          detail: 'unsubscribe',
        },
        expect.objectContaining({ email: 'ben@example.com', reason: 'do_not_disturb' }),
        expect.objectContaining({ name: 'Dan Guest', email: null, reason: 'no_email' }),
      ]),
    );
    const chosen = await call(`GET ${V1}/campaign-lists/${lists['chosen']}/audience`);
    expect(chosen.body.data).toMatchObject({ contacts: 0, mails: 0, examples: [] });

    // Sending agrees with the count.
    const { id } = (await service.call('POST /api/v1/campaigns', { body: CAMPAIGN })).body.data;
    await call(`POST ${V1}/campaigns/${id}/send`);
    const { body } = await call(`GET ${V1}/campaigns/${id}/recipients`);
    expect(body.data.map(({ email }: any) => email)).toEqual(['cleo@example.com']);
  });

  test('is shown with who was left out after the campaign has started', async ({ service }) => {
    await setUpCampaigns(service);
    const ids = await clients(service, ['ada@example.com', 'ben@example.com']);
    const { call } = await signInAs(service, 'admin');
    const suppress = (address: string) =>
      service.transact(service.subAccountId, OPERATOR, (work) =>
        suppressAddress(work, { channel: 'email', address, reason: 'manual' }),
      );
    await suppress('ada@example.com');
    const { id } = (await service.call('POST /api/v1/campaigns', { body: CAMPAIGN })).body.data;
    const leftOut = async () => (await call(`GET ${V1}/campaigns/${id}/left-out`)).body.data;
    const none = { leftOut: { no_email: 0, do_not_disturb: 0, opted_out: 0 }, examples: [] };
    expect(await leftOut()).toEqual(none);
    service.clock.advance(1000);
    await call(`POST ${V1}/campaigns/${id}/send`);
    // A recipient that opts out later was not left out at the start, nor was a later contact.
    await suppress('ben@example.com');
    service.clock.advance(1000);
    await service.transact(service.subAccountId, OPERATOR, (work) =>
      createContact(work, { firstName: 'Late', lastName: 'Guest', tags: ['client'] }),
    );
    expect(await leftOut()).toEqual({
      leftOut: { no_email: 0, do_not_disturb: 0, opted_out: 1 },
      examples: [
        expect.objectContaining({
          contactId: ids['ada@example.com'],
          reason: 'opted_out',
          detail: 'manual',
        }),
      ],
    });
    const searched = async (q: string) =>
      (await call(`GET ${V1}/campaigns/${id}/recipients?q=${q}`)).body.data.length;
    expect([await searched('BEN%20Gu'), await searched('ben@'), await searched('ada')]).toEqual([
      1, 1, 0,
    ]);
  });

  test('is that of the own sub-account only', async ({ service }) => {
    await setUpCampaigns(service);
    const { call } = await signInAs(service, 'admin');
    const unknown = `${V1}/campaign-lists/${crypto.randomUUID()}/audience`;
    expect((await call(`GET ${unknown}`)).status).toBe(404);
    const agent = await signInAs(service, 'agent');
    for (const path of ['campaign-lists', 'campaign-templates', 'recurring-campaigns']) {
      expect((await agent.call(`GET ${V1}/${path}`)).status).toBe(403);
    }
  });
});

describe('content that is not saved', () => {
  test('is previewed as a contact of the list gets it', async ({ service }) => {
    const lists = await setUpCampaigns(service);
    const { call } = await signInAs(service, 'admin');
    const preview = (change: object = {}) => {
      const { subject, contentHtml, layout } = CAMPAIGN;
      return call(`POST ${V1}/campaigns/preview`, {
        body: { subject, contentHtml, layout, ...change },
      });
    };
    expect((await preview()).body.data).toMatchObject({ subject: 'Hello Ada' });
    await clients(service, ['cleo@example.com']);
    expect((await preview()).body.data).toEqual({
      subject: 'Hello cleo',
      html: LAYOUT.replace('{{content}}', '<p>Dear cleo Guest, spring is here.</p>'),
      text: expect.stringContaining('Dear cleo Guest, spring is here.'),
      preheader: null,
      unknownFields: [],
      contact: { contactId: expect.any(String), name: 'cleo Guest', email: 'cleo@example.com' },
    });
    // The other list has no contact.
    expect((await preview({ listId: lists['chosen'] })).body.data.subject).toBe('Hello Ada');
    expect((await preview({ subject: '', contentHtml: '' })).body.data.subject).toBe('');
    expect((await preview({ layout: 'Nothing' })).body.error.code).toBe('layout_not_found');
    const made = 'select from campaigns where sub_account_id = $1';
    expect(await service.database.rows(made, [service.subAccountId])).toEqual([]);
  });
});

test('merge fields that no contact has are named, wherever they are', async ({ service }) => {
  await setUpCampaigns(service);
  await apply(service, { customValues: { opening: '9 to 5' } });
  const { call } = await signInAs(service, 'admin');
  const preview = async (change: object) => {
    const body = { subject: 'Hello', contentHtml: '', layout: CAMPAIGN.layout, ...change };
    return (await call(`POST ${V1}/campaigns/preview`, { body })).body.data.unknownFields;
  };
  const known = ['firstName', 'lastName', 'fullName', 'email', 'phone', 'company'].map(
    (name) => `{{ ${name} }}`,
  );
  const contentHtml = `${known.join('')}{{custom_values.opening}}{{unsubscribe_link}}`;
  expect(await preview({ contentHtml })).toEqual([]);
  expect(
    await preview({
      subject: 'Hello {{fristName}}',
      preheader: '{{custom_values.closing}}',
      contentHtml: '<p>{{fristName}} {{fristName|there}} {{firstName|a|b}}</p>',
    }),
  ).toEqual([
    { source: '{{fristName}}', fallback: '' },
    { source: '{{custom_values.closing}}', fallback: '' },
    { source: '{{fristName|there}}', fallback: 'there' },
    { source: '{{firstName|a|b}}', fallback: '' },
  ]);
  const body = { ...CAMPAIGN, subject: 'Hello {{fristName}}' };
  const { id } = (await service.call('POST /api/v1/campaigns', { body })).body.data;
  const { data } = (await call(`GET ${V1}/campaigns/${id}/preview`)).body;
  expect(data.unknownFields).toEqual([{ source: '{{fristName}}', fallback: '' }]);
});

describe('a draft', () => {
  test('is changed until it is sent or scheduled', async ({ service }) => {
    const lists = await setUpCampaigns(service);
    const id = await newCampaign(service);
    await clients(service, ['ada@example.com']);
    await service.events();
    const { call, email } = await signInAs(service, 'admin');
    await apply(service, { templates: [{ ...MANIFEST.templates[0], html: '<b>{{content}}</b>' }] });
    const body = {
      ...CAMPAIGN,
      name: 'Summer',
      contentHtml: '<p>Hello</p>',
      preheader: 'News',
      listId: lists['chosen'],
    };
    const { data } = (await call(`PATCH ${V1}/campaigns/${id}`, { body })).body;
    expect(data).toMatchObject({ ...body, id, status: 'draft' });
    expect((await call(`GET ${V1}/campaigns/${id}`)).body.data).toEqual(data);
    // It has a new copy of the layout.
    expect((await call(`GET ${V1}/campaigns/${id}/preview`)).body.data.html).toContain(
      '<p>Hello</p></b>',
    );
    const unknown = { ...body, listId: crypto.randomUUID() };
    expect((await call(`PATCH ${V1}/campaigns/${id}`, { body: unknown })).status).toBe(400);
    await call(`PATCH ${V1}/campaigns/${id}`, { body: { ...body, listId: lists['clients'] } });
    await call(`POST ${V1}/campaigns/${id}/send`);
    const late = await call(`PATCH ${V1}/campaigns/${id}`, { body });
    expect([late.status, late.body.error.code]).toEqual([400, 'invalid_status']);
    const { body: audit } = await call(`GET ${V1}/audit?recordId=${id}&actor=${email}`);
    expect(audit.data.map(({ operation }: any) => operation)).toEqual([
      'campaigns.send',
      'campaigns.update',
      'campaigns.update',
    ]);
    expect(await service.eventNames()).toEqual([]);
  });

  test('cannot be tested without a mail server', async ({ service }) => {
    const id = await newCampaign(service);
    const { call } = await signInAs(service, 'admin');
    const { status, body } = await call(`POST ${V1}/campaigns/${id}/test`);
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('email channel')]);
    const unknown = await call(`POST ${V1}/campaigns/${crypto.randomUUID()}/test`);
    expect(unknown.status).toBe(404);
  });
});

test('a test mail through a private server names the variable that allows it', async ({
  service,
}) => {
  await setUpCampaigns(service);
  const email = { provider: 'smtp', host: '10.1.2.3', port: 25, from: 'hello@harbour.example' };
  await apply(service, { channels: { email } });
  const id = await newCampaign(service);
  const { call } = await signInAs(service, 'admin');
  const { body } = await call(`POST ${V1}/campaigns/${id}/test`);
  expect(body.error.message).toMatch(
    /^the preview was not sent: the address 10\.1\.2\.3 is not public; .*FRONTDESK_OUTBOUND_ALLOW/,
  );
});

test('the test mail of a sandbox is captured and shown', async ({ service }) => {
  await setUpCampaigns(service);
  const id = await newCampaign(service);
  const { call, email } = await signInAs(service, 'admin');
  await service.database.rows('update sub_accounts set sandbox = true where id = $1', [
    service.subAccountId,
  ]);
  await vi.waitFor(async () => {
    const { status, body } = await call(`POST ${V1}/campaigns/${id}/test`);
    expect([status, body.data]).toEqual([
      200,
      {
        sentTo: email,
        captured: {
          subject: 'Hello Ada',
          html: LAYOUT.replace('{{content}}', '<p>Dear Ada Lovelace, spring is here.</p>'),
          text: expect.stringContaining('spring is here'),
          preheader: null,
          unknownFields: [],
          contact: { contactId: null, name: 'Ada Lovelace', email: 'ada@example.com' },
        },
        unknownFields: [],
      },
    ]);
  });
});

test('recurring campaigns are listed with their next run', async ({ service }) => {
  await setUpCampaigns(service);
  const { call } = await signInAs(service, 'admin');
  const monday = {
    key: 'monday',
    name: 'Monday',
    list: 'clients',
    template: 'letter',
    subject: 'News',
    content: '<p>News</p>',
    repeat: '0 9 * * MON',
    timezone: 'Europe/Berlin',
  };
  await apply(service, { campaigns: [monday, { ...monday, key: 'off', active: false }] });
  const { data } = (await call(`GET ${V1}/recurring-campaigns`)).body;
  expect(data).toMatchObject([
    { key: 'monday', repeat: '0 9 * * MON', active: true, nextRunAt: expect.any(String) },
    { key: 'off', active: false, nextRunAt: null, lastRunAt: null },
  ]);
});
