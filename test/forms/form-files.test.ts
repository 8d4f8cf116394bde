import { HTML, PDF, PNG, download, removeNow, storedContents } from '../files/files.support.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';
import {
  FILE_FIELD,
  contactsOf,
  issuesIn,
  setUpForm,
  submissionsOf,
  submit,
  submitted,
} from './forms.support.ts';
import { EMAIL, FIELDS, filesOf, MIB, tokenFor, upload } from './form-files.support.ts';

describe('a file field', () => {
  test('is described with what it accepts', async ({ service }) => {
    const formId = await setUpForm(service, { fields: FIELDS });
    const { body } = await service.call(`GET /api/forms/config?formId=${formId}`, { key: null });
    expect(body.data.fields[2]).toEqual({
      ...FILE_FIELD,
      required: false,
      options: null,
      accept: expect.arrayContaining(['image/png', '.png', 'application/pdf', '.pdf']),
      maxBytes: MIB,
    });
    expect(body.data.fields[2].accept).not.toContain('text/csv');
  });

  test('takes an uploaded file, which the team sees with the submission', async ({ service }) => {
    const formId = await setUpForm(service, { fields: FIELDS });
    const file = await upload(service, formId, { name: '../tooth <b>.png' });
    expect(file.status).toBe(201);
    expect(file.body.data).toEqual({
      token: expect.stringMatching(/^[\w-]{64}$/),
      name: 'tooth _b_.png',
      type: 'image/png',
      size: PNG.length,
    });
    expect(await service.eventNames()).toEqual([]);
    const photo = file.body.data.token;
    const { submissionId } = await submitted(service, formId, { ...EMAIL, photo });
    const [{ id } = { id: '' }] = await filesOf(service);
    const shown = {
      id,
      name: 'tooth _b_.png',
      type: 'image/png',
      size: PNG.length,
      url: `/api/v1/files/${id}`,
    };
    const events = await service.events();
    expect(events.map(({ name }) => name)).toEqual(['contact.created', 'form.submitted']);
    expect(events[1]?.data.fields).toEqual({ ...EMAIL, photo: shown });
    expect(await submissionsOf(service)).toMatchObject([
      { id: submissionId, fields: { photo: shown } },
    ]);
    expect(await filesOf(service)).toEqual([{ id, submissionId }]);
    const content = await download(service, shown.url);
    expect(content.bytes.equals(PNG)).toBe(true);
    expect(content.headers.get('content-security-policy')).toContain('sandbox');
    expect((await download(service, shown.url, null)).status).toBe(401);
  });

  test('refuses other types and sizes by the bytes, whatever the file is called', async ({
    service,
  }) => {
    const formId = await setUpForm(service, { fields: FIELDS });
    const text = Buffer.from('a,b\n');
    const large = Buffer.concat([PDF, Buffer.alloc(MIB, '%')]);
    for (const [sent, status] of [
      [{ bytes: HTML }, 415],
      [{ bytes: text, name: 'a.csv', type: 'text/csv' }, 415],
      [{ bytes: text, name: 'a.png' }, 415],
      [{ bytes: large, name: 'a.pdf' }, 413],
      [{ bytes: new Uint8Array() }, 400],
      [{ field: 'note' }, 400],
      [{ field: 'unknown' }, 400],
    ] as const) {
      expect((await upload(service, formId, sent)).status, JSON.stringify(sent)).toBe(status);
    }
    expect((await upload(service, crypto.randomUUID())).status).toBe(404);
    expect(await filesOf(service)).toEqual([]);
    expect(await storedContents(service)).toEqual([]);
  });

  test('takes only tokens of its own uploads, each once', async ({ service }) => {
    const formId = await setUpForm(service, {
      fields: [...FIELDS, { ...FILE_FIELD, name: 'other' }],
    });
    const elsewhere = await setUpForm(service, { key: 'second', fields: FIELDS });
    const photo = await tokenFor(service, formId);
    const wrong = [
      await tokenFor(service, formId, { field: 'other' }),
      await tokenFor(service, elsewhere),
      `${photo.slice(0, -1)}${photo.endsWith('A') ? 'B' : 'A'}`,
      (await filesOf(service))[0]?.id,
      'x',
      '[object Object]',
    ];
    await service.events();
    for (const token of wrong) {
      const answer = await submit(service, formId, { ...EMAIL, photo: token });
      expect(issuesIn(answer)['/fields/photo']).toMatch(/^must be the token/);
    }
    expect(issuesIn(await submit(service, formId, { ...EMAIL, photo: {} }))).toEqual({
      '/fields/photo': 'must be text',
    });
    expect(await service.eventNames()).toEqual([]);
    expect(await contactsOf(service)).toEqual([]);
    await submitted(service, formId, { ...EMAIL, photo });
    const again = await submit(service, formId, { ...EMAIL, photo });
    expect(issuesIn(again)['/fields/photo']).toMatch(/^must be the token/);
    const twice = await tokenFor(service, formId);
    const answers = await Promise.all(
      [1, 2, 3].map(() => submit(service, formId, { ...EMAIL, photo: twice })),
    );
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['201', '400', '400']);
  });

  test('is required if the form says so, and not stored if its condition does not hold', async ({
    service,
  }) => {
    const kind = { name: 'kind', label: 'Kind', type: 'select', options: ['Pain', 'Other'] };
    const showIf = { field: 'kind', equals: 'Pain' };
    const formId = await setUpForm(service, {
      fields: [kind, { ...FILE_FIELD, required: true, showIf }],
    });
    expect(issuesIn(await submit(service, formId, { kind: 'Pain' }))).toEqual({
      '/fields/photo': 'is required',
    });
    const photo = await tokenFor(service, formId);
    await submitted(service, formId, { kind: 'Other', photo });
    expect(await filesOf(service)).toMatchObject([{ submissionId: null }]);
    await submitted(service, formId, { kind: 'Pain', photo });
    expect(await filesOf(service)).toMatchObject([{ submissionId: expect.any(String) }]);
  });

  test('cannot be sent by the team with a message', async ({ service }) => {
    const formId = await setUpForm(service, { fields: FIELDS });
    await tokenFor(service, formId);
    const [{ id } = { id: '' }] = await filesOf(service);
    const contact = await service.call('POST /api/v1/contacts', {
      body: { firstName: 'Ada', lastName: 'Lovelace' },
    });
    const thread = await service.call('POST /api/v1/conversations', {
      body: { contactId: contact.body.data.id, channel: 'live_chat' },
    });
    const answer = await service.call(
      `POST /api/v1/conversations/${thread.body.data.id}/messages`,
      { body: { channel: 'live_chat', bodyText: '', attachmentIds: [id] } },
    );
    expect(issuesIn(answer)['/attachmentIds/0']).toMatch(/^must be the id/);
  });
});

describe('uploads that no submission has', () => {
  const age = ({ database, subAccountId }: TestService, hours: number) =>
    database.rows(
      `update files set created_at = now() - interval '1 hour' * $2 where sub_account_id = $1`,
      [subAccountId, hours],
    );

  test('are deleted after a day; those of submissions stay', async ({ service }) => {
    const formId = await setUpForm(service, { fields: FIELDS });
    await submitted(service, formId, { ...EMAIL, photo: await tokenFor(service, formId) });
    await tokenFor(service, formId);
    await age(service, 25);
    await removeNow(service);
    const rows = await filesOf(service);
    expect(rows).toMatchObject([{ submissionId: expect.any(String) }]);
    expect(await storedContents(service)).toEqual(rows.map(({ id }) => id));
  });

  test('may use 1 GiB per form: beyond that, the oldest are deleted', async ({ service }) => {
    const formId = await setUpForm(service, { fields: FIELDS });
    await submitted(service, formId, { ...EMAIL, photo: await tokenFor(service, formId) });
    const oldest = await tokenFor(service, formId);
    await age(service, 2);
    await service.database.rows(
      'update files set size = 600 * 1024 * 1024 where sub_account_id = $1',
      [service.subAccountId],
    );
    const next = await tokenFor(service, formId);
    await service.database.rows(
      `update files set size = 500 * 1024 * 1024 where sub_account_id = $1 and size < 1000`,
      [service.subAccountId],
    );
    const photo = await tokenFor(service, formId);
    const gone = await submit(service, formId, { photo: oldest, ...EMAIL });
    expect(issuesIn(gone)['/fields/photo']).toMatch(/^must be the token/);
    await submitted(service, formId, { ...EMAIL, photo: next });
    await submitted(service, formId, { ...EMAIL, photo });
  });
});
