import { suppressAddress } from '../../src/contacts/consent/suppressions.ts';
import { createContact } from '../../src/contacts/create-contact.ts';
import { CAMPAIGN, clients, setUpCampaigns } from '../campaigns/campaigns.support.ts';
import { signInAs } from '../support/people.ts';
import { describe, expect, OPERATOR, test, type TestService } from '../support/service.ts';

const V1 = '/console/api/v1';
const WORDING = {
  ...CAMPAIGN,
  subject: '{{firstName|Hello}}, time for a check-up',
  preheader: 'News for {{firstName|you}}',
  contentHtml:
    '<p>Dear {{firstName|patient}}: <a href="https://harbour.example/book">https://harbour.example/book</a> <a href="{{unsubscribe_link}}">Unsubscribe</a></p>',
};

async function setUp(service: TestService) {
  const lists = await setUpCampaigns(service);
  const ids = await clients(service, ['ada@example.com', 'ben@example.com']);
  const nameless = await service.transact(service.subAccountId, OPERATOR, (work) =>
    createContact(work, {
      firstName: '',
      lastName: '',
      email: 'info@example.com',
      tags: ['client'],
    }),
  );
  const { id } = (await service.call('POST /api/v1/campaigns', { body: WORDING })).body.data;
  const { call } = await signInAs(service, 'admin');
  return { list: lists['clients'], ids, nameless: nameless.id, id: id as string, call };
}

describe('the preview of a campaign', () => {
  test('is merged for the chosen contact, or for one without a name', async ({ service }) => {
    const { ids, nameless, id, call } = await setUp(service);
    const preview = async (query = '') =>
      (await call(`GET ${V1}/campaigns/${id}/preview${query}`)).body.data;
    expect(await preview()).toMatchObject({ subject: 'ada, time for a check-up' });
    const ben = ids['ben@example.com'];
    expect(await preview(`?contactId=${ben}`)).toMatchObject({
      subject: 'ben, time for a check-up',
      preheader: 'News for ben',
      contact: { contactId: ben, name: 'ben Guest', email: 'ben@example.com' },
    });
    expect(await preview(`?contactId=${nameless}`)).toMatchObject({
      subject: 'Hello, time for a check-up',
      preheader: 'News for you',
      contact: { contactId: nameless, name: '' },
    });
    expect(await preview('?withoutName=true')).toMatchObject({
      subject: 'Hello, time for a check-up',
      contact: { contactId: null, name: '' },
    });
    // A contact that was deleted meanwhile: as without a choice.
    const unknown = await preview(`?contactId=${crypto.randomUUID()}`);
    expect(unknown.subject).toBe('ada, time for a check-up');
    const { subject, contentHtml, layout } = WORDING;
    const body = { subject, contentHtml, layout, contactId: ben };
    expect((await call(`POST ${V1}/campaigns/preview`, { body })).body.data).toMatchObject({
      subject: 'ben, time for a check-up',
      preheader: null,
    });
  });

  test('names a link once in its text, and has an example of the unsubscribe link', async ({
    service,
  }) => {
    const { id, call } = await setUp(service);
    const { html, text } = (await call(`GET ${V1}/campaigns/${id}/preview`)).body.data;
    expect(text).toContain(
      'Dear ada: https://harbour.example/book Unsubscribe [https://example.com/unsubscribe]',
    );
    expect(html).toContain('<a href="https://example.com/unsubscribe">Unsubscribe</a>');
  });

  test('offers contacts of the list, among them one without a first name', async ({ service }) => {
    const { list, nameless, call } = await setUp(service);
    await clients(
      service,
      Array.from({ length: 25 }, (_, index) => `guest${index}@example.com`),
    );
    const contacts = async () =>
      (await call(`GET ${V1}/campaign-lists/${list}/contacts`)).body.data as any[];
    expect((await contacts())[0]).toEqual({
      contactId: expect.any(String),
      name: 'ada Guest',
      email: 'ada@example.com',
      hasFirstName: true,
    });
    expect(await contacts()).toHaveLength(20);
    // A nameless contact after the first 20 is offered, too.
    await service.database.rows(`update contacts set first_name = 'Info' where id = $1`, [
      nameless,
    ]);
    await service.transact(service.subAccountId, OPERATOR, (work) =>
      createContact(work, {
        firstName: '',
        lastName: '',
        email: 'late@example.com',
        tags: ['client'],
      }),
    );
    const rows = await contacts();
    expect(rows).toHaveLength(21);
    expect(rows.at(-1)).toMatchObject({ name: '', email: 'late@example.com', hasFirstName: false });
    const unknown = await call(`GET ${V1}/campaign-lists/${crypto.randomUUID()}/contacts`);
    expect(unknown.status).toBe(404);
  });

  test('is merged only for contacts that get the mail', async ({ service }) => {
    const { list, ids, id, call } = await setUp(service);
    const body = { dnd: { email: true } };
    await service.call(`PATCH /api/v1/contacts/${ids['ada@example.com']}`, { body });
    await service.transact(service.subAccountId, OPERATOR, (work) =>
      suppressAddress(work, { channel: 'email', address: 'info@example.com', reason: 'complaint' }),
    );
    const contacts = (await call(`GET ${V1}/campaign-lists/${list}/contacts`)).body.data as any[];
    expect(contacts.map(({ contactId }) => contactId)).toEqual([ids['ben@example.com']]);
    const { subject } = (await call(`GET ${V1}/campaigns/${id}/preview`)).body.data;
    expect(subject).toBe('ben, time for a check-up');
  });

  test('is the test mail, if a contact is chosen', async ({ service }) => {
    const { ids, id, call } = await setUp(service);
    await service.database.rows('update sub_accounts set sandbox = true where id = $1', [
      service.subAccountId,
    ]);
    const body = { contactId: ids['ben@example.com'] };
    await expect
      .poll(async () => (await call(`POST ${V1}/campaigns/${id}/test`, { body })).body.data)
      .toMatchObject({ captured: { subject: 'ben, time for a check-up' } });
  });
});
