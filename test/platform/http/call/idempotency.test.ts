import { createKey } from '../../../../src/accounts/keys/create-key.ts';
import { SCOPES } from '#core/scope.ts';
import { apply } from '../../../support/manifest.ts';
import { describe, expect, OPERATOR, test, type TestService } from '../../../support/service.ts';
import { WAITING_FOR_ME } from '../../../support/locks.ts';

const LINE = 'POST /api/v1/contacts';
const ada = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' };
const DAY_MS = 24 * 3_600_000;

const once = (key: string) => ({ 'idempotency-key': key });
const total = async ({ call }: TestService) =>
  (await call('GET /api/v1/contacts')).body.meta.total as number;

describe('Idempotency-Key', () => {
  test('replays the first response, with its status and a header that says so', async ({
    service,
  }) => {
    const first = await service.call(LINE, { body: ada, headers: once('a') });
    const again = await service.call(LINE, { body: ada, headers: once('a') });
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect(await service.eventNames()).toEqual(['contact.created']);
  });

  test('replays the bytes of the first response, those of custom fields, too', async ({
    service,
  }) => {
    await apply(service, {
      customFields: [
        { name: 'size', label: 'Size', type: 'text' },
        { name: 'points', label: 'Points', type: 'number' },
      ],
    });
    const create = () =>
      fetch(`${service.url}/api/v1/contacts`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${service.keys.full}`,
          'content-type': 'application/json',
          ...once('a'),
        },
        body: JSON.stringify({ ...ada, customFields: { size: 'M', points: 12 } }),
      });
    const [first, again] = [await create(), await create()];
    expect([first.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(await again.text()).toBe(await first.text());
  });

  test('replays the original response even if the record has changed', async ({ service }) => {
    const first = await service.call(LINE, { body: ada, headers: once('a') });
    await service.call(`DELETE /api/v1/contacts/${first.body.data.id}`);
    const again = await service.call(LINE, { body: ada, headers: once('a') });
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(await total(service)).toBe(0);
  });

  test('also replays lookups, and fires no event', async ({ service }) => {
    const { body } = await service.call(LINE, { body: { ...ada, phone: '+442079460018' } });
    await service.events();
    const lookup = () =>
      service.call('POST /api/v1/booking/appointments', {
        body: { contactId: body.data.id },
        headers: once('a'),
      });
    const [first, again] = [await lookup(), await lookup()];
    expect([first.status, again.status]).toEqual([404, 404]);
    expect(again.body).toEqual(first.body);
    const other = await service.call('POST /api/v1/booking/appointments', {
      body: { contactId: crypto.randomUUID() },
      headers: once('a'),
    });
    expect([other.status, other.body.error.code]).toEqual([422, 'IDEMPOTENCY_MISMATCH']);
    expect(await service.eventNames()).toEqual([]);
  });

  test.for([
    ['a body that is not JSON', { raw: '{' }, 400],
    ['a body that breaks the schema', { body: { firstName: 1 } }, 400],
    ['a record that is not there', { body: { ...ada, assignedTo: crypto.randomUUID() } }, 400],
  ] as const)('gives a refusal again too: %s', async ([, options, status], { service }) => {
    const first = await service.call(LINE, { ...options, headers: once('a') });
    const again = await service.call(LINE, { ...options, headers: once('a') });
    expect([first.status, again.status]).toEqual([status, status]);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const help = '</docs/errors#validation_error>; rel="help"';
    expect([first, again].map(({ headers }) => headers.get('link'))).toEqual([help, help]);
  });

  test('replays a 404', async ({ service }) => {
    const line = `POST /api/v1/contacts/${crypto.randomUUID()}/merge`;
    const options = { body: { contactId: crypto.randomUUID() }, headers: once('a') };
    const [first, again] = [await service.call(line, options), await service.call(line, options)];
    expect([first.status, again.status]).toEqual([404, 404]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  test('does not store refusals that may pass: 413, 415, 401, 403, 429', async ({ service }) => {
    const wrong = { 'content-type': 'text/plain', ...once('a') };
    expect((await service.call(LINE, { body: ada, headers: wrong })).status).toBe(415);
    expect(
      (await service.call(LINE, { body: ada, headers: once('a'), key: 'reader' })).status,
    ).toBe(403);
    expect(
      (await service.call(LINE, { raw: ' '.repeat(2 ** 20 + 1), headers: once('a') })).status,
    ).toBe(413);
    const sent = await service.call(LINE, { body: ada, headers: once('a') });
    expect([sent.status, sent.headers.get('idempotent-replayed')]).toEqual([201, null]);
  });

  test('returns 422 for another body and keeps the first response', async ({ service }) => {
    const first = await service.call(LINE, { body: ada, headers: once('a') });
    const other = await service.call(LINE, { body: { ...ada, email: null }, headers: once('a') });
    expect([other.status, other.body.error.code]).toEqual([422, 'IDEMPOTENCY_MISMATCH']);
    const again = await service.call(LINE, { body: ada, headers: once('a') });
    expect(again.body).toEqual(first.body);
    expect(await total(service)).toBe(1);
  });

  test('runs one of twenty parallel requests; the others get its response, or 409', async ({
    service,
  }) => {
    for (let round = 0; round < 5; round += 1) {
      const body = { ...ada, email: null };
      const before = await total(service);
      const replies = await Promise.all(
        Array.from({ length: 20 }, () => service.call(LINE, { body, headers: once(`k${round}`) })),
      );
      const created = replies.filter(({ status }) => status === 201);
      const ran = created.filter(({ headers }) => !headers.get('idempotent-replayed'));
      const busy = replies.filter(({ status }) => status === 409);
      expect([ran.length, created.length + busy.length]).toEqual([1, 20]);
      expect(busy.every((one) => one.body.error.code === 'IDEMPOTENCY_IN_PROGRESS')).toBe(true);
      expect(new Set(created.map((one) => one.body.data.id)).size).toBe(1);
      expect(await total(service)).toBe(before + 1);
    }
  });

  test('expires after 24 hours', async ({ service }) => {
    const body = { ...ada, email: null };
    const first = await service.call(LINE, { body, headers: once('a') });
    service.clock.advance(DAY_MS - 60_000);
    const kept = await service.call(LINE, { body, headers: once('a') });
    expect(kept.body.data.id).toBe(first.body.data.id);
    service.clock.advance(120_000);
    const fresh = await service.call(LINE, {
      body: { ...body, lastName: 'King' },
      headers: once('a'),
    });
    expect([fresh.status, fresh.headers.get('idempotent-replayed')]).toEqual([201, null]);
    expect(await total(service)).toBe(2);
  });

  test('belongs to one API key, one sub-account and one path', async ({ service }) => {
    const { call, transact, subAccountId, otherSubAccountId } = service;
    const second = await transact(subAccountId, OPERATOR, (work) =>
      createKey(work, { name: 'second', scopes: SCOPES }),
    );
    const body = { ...ada, email: null };
    const at = (id: string) => ({ ...once('a'), 'x-sub-account-id': id });
    const replies = [
      await call(LINE, { body, headers: once('a') }),
      await call(LINE, { body, headers: once('a'), key: second.key }),
      await call(LINE, { body, headers: once('a'), key: 'other' }),
      await call(LINE, { body, headers: at(subAccountId), key: 'agency' }),
      await call(LINE, { body, headers: at(otherSubAccountId), key: 'agency' }),
      await call(LINE, { body, headers: once('A') }),
    ];
    expect(replies.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual(
      Array(6).fill(null),
    );
    expect(new Set(replies.map((one) => one.body.data.id)).size).toBe(6);
    const [kept, other] = replies.map((one) => one.body.data.id as string);
    const merged = await call(`POST /api/v1/contacts/${kept}/merge`, {
      body: { contactId: other },
      headers: once('a'),
    });
    expect([merged.status, merged.headers.get('idempotent-replayed')]).toEqual([200, null]);
  });

  test('is free again if the first attempt was killed', async ({ service }) => {
    const { database, subAccountId } = service;
    const client = await database.pool.connect();
    await client.query('begin');
    await client.query('lock table contacts in share mode');
    const attempt = service.call(LINE, { body: ada, headers: once('a') });
    await expect.poll(async () => (await client.query(WAITING_FOR_ME)).rowCount).toBe(1);
    const busy = await service.call(LINE, { body: ada, headers: once('a') });
    expect([busy.status, busy.body.error.code]).toEqual([409, 'IDEMPOTENCY_IN_PROGRESS']);
    await client.query(`select pg_terminate_backend(pid) from (${WAITING_FOR_ME}) as w`);
    expect((await attempt).status).toBe(503);
    await client.query('rollback');
    client.release();
    const again = await service.call(LINE, { body: ada, headers: once('a') });
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, null]);
    const [row] = await database.rows<{ n: number }>(
      'select count(*) as n from contacts where sub_account_id = $1',
      [subAccountId],
    );
    expect(row?.n).toBe(1);
  });

  test.for([
    ['empty', ''],
    ['256 characters', 'k'.repeat(256)],
  ])('that is %s is refused by name', async ([, key = ''], { service }) => {
    const { status, body } = await service.call(LINE, { body: ada, headers: once(key) });
    expect([status, body.error.details.issues]).toMatchObject([
      400,
      [{ in: 'header', path: '/Idempotency-Key' }],
    ]);
    expect(await total(service)).toBe(0);
  });

  test('is ignored by other methods', async ({ service }) => {
    const { body } = await service.call(LINE, { body: ada });
    const line = `PATCH /api/v1/contacts/${body.data.id}`;
    for (const company of ['One', 'Two']) {
      const { status, body: patched } = await service.call(line, {
        body: { company },
        headers: once('a'),
      });
      expect([status, patched.data.company]).toEqual([200, company]);
    }
  });
});
