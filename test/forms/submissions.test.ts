import { apply } from '../support/manifest.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';
import { EMAIL, FIELDS, tokenFor } from './form-files.support.ts';
import { contactsOf, setUpForm, setUpForms, submitted } from './forms.support.ts';

const LIST = 'GET /api/v1/forms/submissions';

const listed = async ({ call }: TestService, query = ''): Promise<any> => {
  const { status, body } = await call(`${LIST}${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};

const idsIn = ({ data }: any): string[] => data.map(({ id }: any) => id);

/** Submits a form at three times, and returns the ids, newest first. */
async function threeTimes(service: TestService, formId: string): Promise<string[]> {
  const ids: string[] = [];
  for (const note of ['one', 'two', 'three']) {
    service.clock.advance(1_000);
    ids.unshift((await submitted(service, formId, { ...EMAIL, note })).submissionId);
  }
  return ids;
}

describe('the list of submissions', () => {
  test('has what was submitted, with its files, and fires nothing', async ({ service }) => {
    const formId = await setUpForm(service, { fields: FIELDS });
    const pageUrl = 'https://harbour.example/contact';
    const fields = { ...EMAIL, note: 'Hello', photo: await tokenFor(service, formId) };
    const { submissionId } = await submitted(service, formId, fields, { pageUrl });
    const [contact] = await contactsOf(service);
    const [event] = (await service.events()).slice(-1);
    const { data, meta } = await listed(service);
    const { id: fileId, ...file } = data[0].fields.photo;
    expect(data).toEqual([
      {
        id: submissionId,
        formId,
        form: 'contact',
        formName: 'Contact us',
        contactId: contact.id,
        fields: event?.data.fields,
        pageUrl,
        createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
        attachments: [{ id: fileId, ...file, refused: null }],
      },
    ]);
    expect(file).toEqual({
      name: 'tooth.png',
      type: 'image/png',
      size: expect.any(Number),
      url: `/api/v1/files/${fileId}`,
    });
    expect(meta).toEqual({ hasMore: false, cursor: null });
    expect((await service.call(`GET ${file.url}`)).status).toBe(200);
    const one = await service.call(`${LIST}/${submissionId}`);
    expect(one.body.data).toEqual(data[0]);
    expect(await service.eventNames()).toEqual([]);
  });

  test('is newest first, page by page', async ({ service }) => {
    const ids = await threeTimes(service, await setUpForm(service));
    const first = await listed(service, '?limit=2');
    expect(idsIn(first)).toEqual(ids.slice(0, 2));
    expect(first.meta.hasMore).toBe(true);
    const second = await listed(service, `?limit=2&cursor=${first.meta.cursor}`);
    expect(idsIn(second)).toEqual(ids.slice(2));
    expect(second.meta).toEqual({ hasMore: false, cursor: null });
  });

  test('is in the order of submission, not of when the pages were opened', async ({ service }) => {
    const [newest = '', middle = '', oldest = ''] = await threeTimes(
      service,
      await setUpForm(service),
    );
    await service.database.rows('update form_submissions set created_at = $2 where id = $1', [
      oldest,
      new Date(Date.now() + 3_600_000),
    ]);
    const order = [oldest, newest, middle];
    expect(idsIn(await listed(service))).toEqual(order);
    const first = await listed(service, '?limit=1');
    const rest = await listed(service, `?limit=2&cursor=${first.meta.cursor}`);
    expect([...idsIn(first), ...idsIn(rest)]).toEqual(order);
  });

  test('has all submissions of the same time, once', async ({ service }) => {
    const formId = await setUpForm(service);
    const sent: string[] = [];
    for (const note of ['one', 'two', 'three']) {
      sent.push((await submitted(service, formId, { ...EMAIL, note })).submissionId);
    }
    const { database, subAccountId } = service;
    const sameTime = 'update form_submissions set created_at = $2 where sub_account_id = $1';
    await database.rows(sameTime, [subAccountId, service.clock()]);
    const found: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await listed(service, `?limit=1${cursor && `&cursor=${cursor}`}`);
      found.push(...idsIn(page));
      cursor = page.meta.cursor;
    }
    expect(found.toSorted()).toEqual(sent.toSorted());
  });

  test('is narrowed to a form, a contact and a time', async ({ service }) => {
    const forms = await setUpForms(service, [
      { key: 'a', name: 'A', fields: FIELDS },
      { key: 'b', name: 'B', fields: FIELDS },
    ]);
    const [a = '', b = ''] = [forms['a'], forms['b']];
    const ofAda = (await submitted(service, a, EMAIL)).submissionId;
    const between = service.clock().getTime();
    service.clock.advance(1_000);
    const ofBea = (await submitted(service, b, { email: 'bea@example.com' })).submissionId;
    const ada = (await contactsOf(service)).find(({ email }) => email === EMAIL.email);
    expect(idsIn(await listed(service, `?formId=${a}`))).toEqual([ofAda]);
    expect(idsIn(await listed(service, `?formId=${b}`))).toEqual([ofBea]);
    expect(idsIn(await listed(service, `?contactId=${ada.id}`))).toEqual([ofAda]);
    expect(idsIn(await listed(service, `?createdAfter=${between}`))).toEqual([ofBea]);
    expect(idsIn(await listed(service, `?formId=${crypto.randomUUID()}`))).toEqual([]);
  });

  test('keeps those of removed forms', async ({ service }) => {
    const formId = await setUpForm(service);
    const { submissionId } = await submitted(service, formId, EMAIL);
    await apply(service, {}, { prune: true });
    const { data } = await listed(service);
    expect(data).toMatchObject([{ id: submissionId, form: 'contact', formName: 'Contact us' }]);
  });

  test('has neither those of deleted contacts nor those of other sub-accounts', async ({
    service,
  }) => {
    const formId = await setUpForm(service);
    const ofAda = (await submitted(service, formId, EMAIL)).submissionId;
    const other = await setUpForm(service, {}, { to: service.otherSubAccountId });
    const foreign = (await submitted(service, other, EMAIL)).submissionId;
    const [ada] = await contactsOf(service);
    await service.call(`DELETE /api/v1/contacts/${ada.id}`);
    expect(idsIn(await listed(service))).toEqual([]);
    for (const id of [ofAda, foreign, crypto.randomUUID(), 'malformed']) {
      expect((await service.call(`${LIST}/${id}`)).status).toBe(404);
    }
    const { body } = await service.call(LIST, { key: 'other' });
    expect(idsIn(body)).toEqual([foreign]);
  });

  test('has those without a contact', async ({ service }) => {
    const formId = await setUpForm(service, {
      fields: [{ name: 'note', label: 'N', type: 'text' }],
    });
    await submitted(service, formId, { note: 'Hello' });
    const { data } = await listed(service);
    expect(data).toMatchObject([{ contactId: null, fields: { note: 'Hello' }, attachments: [] }]);
  });
});
