import { defineFields } from '../support/custom-fields.ts';
import { importCsv } from '../support/import-csv.ts';
import { describe, expect, test as base, type TestService } from '../support/service.ts';
import { setUpForm, submissionsOf, submitted } from '../forms/forms.support.ts';

const ADA = { firstName: 'Ada', lastName: 'Lovelace' };
const LIMIT = 1_000_000;
/** The longest text of a custom field, of three bytes a character: 66 of them fit, 67 do not. */
const TEXT = '漢'.repeat(5_000);
const FITTING = 66;
const FIELDS = 140;

const values = (from: number, to: number, text = TEXT): Record<string, string> =>
  Object.fromEntries(Array.from({ length: to - from }, (_, n) => [`c${from + n}`, text]));

const bytesOf = (stored: object): number => Buffer.byteLength(JSON.stringify(stored));

const test = base.extend<{ large: TestService }>({
  large: async ({ service }, use) => {
    const names = Object.keys(values(0, FIELDS));
    await defineFields(
      service,
      names.map((name) => ({ name, type: 'text' })),
    );
    await use(service);
  },
});

async function created(service: TestService, body: object = {}): Promise<string> {
  const answer = await service.call('POST /api/v1/contacts', { body: { ...ADA, ...body } });
  expect(answer.status, JSON.stringify(answer.body.error)).toBe(201);
  await service.events();
  return answer.body.data.id;
}

/** Returns a contact of an older release, which had no limit. */
async function older(service: TestService, customFields: object): Promise<string> {
  const id = await created(service);
  const set = 'update contacts set custom_fields = $2 where id = $1';
  await service.database.rows(set, [id, JSON.stringify(customFields)]);
  return id;
}

const contactOf = async ({ call }: TestService, id: string) =>
  (await call(`GET /api/v1/contacts/${id}`)).body.data;

/** Returns a refusal after checking that it changed nothing and fired nothing. */
async function refusal(service: TestService, line: string, body: object) {
  const all = 'select * from contacts where sub_account_id = $1 order by id';
  const before = await service.database.rows(all, [service.subAccountId]);
  const { status, body: answer } = await service.call(line, { body });
  expect(await service.database.rows(all, [service.subAccountId])).toEqual(before);
  expect(await service.events()).toEqual([]);
  return { status, code: answer.error?.code, ...answer.error?.details };
}

const refused = (bytes: number, path = '/customFields') => ({
  status: 400,
  code: 'VALIDATION_ERROR',
  reason: 'custom_values_too_large',
  limit: LIMIT,
  issues: [
    {
      in: 'body',
      path,
      message: `would have ${bytes} bytes as JSON; at most ${LIMIT} are allowed`,
    },
  ],
});

describe('the custom values of a contact', () => {
  test('do not grow beyond the limit, however many requests add to them', async ({ large }) => {
    const id = await created(large, { email: 'ada@example.com', customFields: values(0, 50) });
    const line = `PATCH /api/v1/contacts/${id}`;
    const fits = await large.call(line, { body: { customFields: values(50, FITTING) } });
    expect([fits.status, bytesOf(fits.body.data.customFields)]).toEqual([
      200,
      bytesOf(values(0, FITTING)),
    ]);
    expect(await large.eventNames()).toEqual(['contact.updated']);
    const more = { customFields: values(FITTING, FITTING + 1) };
    const beyond = bytesOf(values(0, FITTING + 1));
    expect(await refusal(large, line, more)).toEqual(refused(beyond));
    const upsert = 'POST /api/v1/contacts/upsert';
    expect(await refusal(large, upsert, { email: 'ada@example.com', ...more })).toEqual(
      refused(beyond),
    );
    const bot = { operation: 'set_custom_field', field: `c${FITTING}`, value: TEXT };
    expect(await refusal(large, `PUT /api/v1/contacts/${id}/bot-update`, bot)).toEqual(
      refused(beyond, '/value'),
    );
  });

  test('of a new contact are within the limit', async ({ large }) => {
    const body = { ...ADA, customFields: values(0, FITTING + 1) };
    const answer = refused(bytesOf(body.customFields));
    expect(await refusal(large, 'POST /api/v1/contacts', body)).toEqual(answer);
    const email = 'new@example.com';
    expect(await refusal(large, 'POST /api/v1/contacts/upsert', { ...body, email })).toEqual(
      answer,
    );
  });

  test('that are larger can be read, changed and made smaller, but not larger', async ({
    large,
  }) => {
    const id = await older(large, values(0, 100));
    const line = `PATCH /api/v1/contacts/${id}`;
    expect(bytesOf((await contactOf(large, id)).customFields)).toBeGreaterThan(LIMIT);
    for (const body of [
      { company: 'Engines' },
      { customFields: { c0: null } },
      { customFields: { c1: TEXT.slice(1) } },
      { customFields: { c1: TEXT.slice(2), c2: `x${TEXT.slice(1)}` } },
    ]) {
      const { status, body: answer } = await large.call(line, { body });
      expect([status, answer.data]).toMatchObject([200, { id }]);
      expect(await large.eventNames()).toEqual(['contact.updated']);
    }
    const more = { customFields: { c0: 'x' } };
    expect(await refusal(large, line, more)).toMatchObject({ reason: 'custom_values_too_large' });
  });
});

describe('a merge', () => {
  const merged = (service: TestService, id: string, contactId: string) =>
    service.call(`POST /api/v1/contacts/${id}/merge`, { body: { contactId } });

  test('takes over the custom values that fit', async ({ large }) => {
    const id = await created(large, { customFields: values(0, FITTING - 1) });
    const contactId = await created(large, {
      customFields: { ...values(0, 60, 'lost'), ...values(65, 68), c139: 'short' },
    });
    const { status, body } = await merged(large, id, contactId);
    expect([status, body.data.customFields]).toEqual([
      200,
      { ...values(0, FITTING), c139: 'short' },
    ]);
  });

  test('into a contact beyond the limit keeps its custom values as they are', async ({ large }) => {
    const id = await older(large, values(0, 100));
    const contactId = await created(large, { company: 'Engines', customFields: { c120: 'x' } });
    const { status, body } = await merged(large, id, contactId);
    expect([status, body.data]).toMatchObject([200, { company: 'Engines' }]);
    expect(body.data.customFields).toEqual(values(0, 100));
  });
});

test('an imported row with too large custom values fails, and the others are imported', async ({
  large,
}) => {
  const email = 'ada@example.com';
  const id = await created(large, { email, customFields: values(0, FITTING) });
  const names = Object.keys(values(0, FITTING + 1));
  const row = (address: string, cells: readonly string[]) =>
    ['Ada', 'L', address, ...cells].join(',');
  const content = [
    ['firstName', 'lastName', 'email', ...names.map((name) => `customFields.${name}`)].join(','),
    row(
      'full@example.com',
      names.map(() => TEXT),
    ),
    row(
      email,
      names.map((_, index) => (index === FITTING ? TEXT : '')),
    ),
    row(
      'small@example.com',
      names.map(() => 'x'),
    ),
  ].join('\n');
  const bytes = bytesOf(values(0, FITTING + 1));
  const message = `customFields: would have ${bytes} bytes as JSON; at most ${LIMIT} are allowed`;
  expect(await importCsv(large, content)).toEqual({
    created: 1,
    updated: 0,
    skipped: 0,
    failed: 2,
    errors: [
      { line: 2, message },
      { line: 3, message },
    ],
  });
  expect((await contactOf(large, id)).customFields).toEqual(values(0, FITTING));
  expect(await large.eventNames()).toEqual(['contact.created']);
});

describe('a form with more custom values than fit', () => {
  const mapped = (name: string) => ({
    name,
    label: name,
    type: 'textarea',
    mapsTo: `customFields.${name}`,
  });
  const fields = [
    { name: 'email', label: 'Email', type: 'email', required: true, mapsTo: 'email' },
    ...Object.keys(values(FITTING - 1, FITTING + 35)).map(mapped),
  ];
  const EMAIL = { email: 'ada@example.com' };

  test('stores the submission in full, and the values that fit in its contact', async ({
    large,
  }) => {
    const customFields = Object.keys(values(0, FIELDS)).map((name) => ({ name, type: 'text' }));
    const formId = await setUpForm(large, { fields }, { customFields });
    const id = await created(large, { ...EMAIL, customFields: values(0, FITTING - 1) });
    const sent = values(FITTING - 1, FITTING + 2);
    await submitted(large, formId, { ...EMAIL, ...sent });
    expect((await contactOf(large, id)).customFields).toEqual(values(0, FITTING));
    expect(await submissionsOf(large)).toMatchObject([
      { contactId: id, fields: { ...EMAIL, ...sent } },
    ]);
    expect(await large.eventNames()).toEqual(['contact.updated', 'form.submitted']);
  });

  test('creates its contact with the values that fit', async ({ large }) => {
    const customFields = Object.keys(values(0, FIELDS)).map((name) => ({ name, type: 'text' }));
    const formId = await setUpForm(large, { fields }, { customFields });
    // JSON writes each of these characters with six bytes.
    const sent = values(FITTING, FITTING + 34, '\u0001'.repeat(5_000));
    await submitted(large, formId, { ...EMAIL, ...sent });
    const [{ contactId, fields: stored }] = await submissionsOf(large);
    expect(stored).toEqual({ ...EMAIL, ...sent });
    const { customFields: kept } = await contactOf(large, contactId);
    expect(Object.keys(kept)).toHaveLength(33);
    expect(bytesOf(kept)).toBeLessThanOrEqual(LIMIT);
    expect(await large.eventNames()).toEqual(['contact.created', 'form.submitted']);
  });
});
