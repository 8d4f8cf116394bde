import { SUBSCRIPTION } from '../../support/samples.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';
import { audited, PATH, stored, subscribe } from './subscriptions.support.ts';

const DAY_S = 24 * 3_600;

const opened = (service: TestService, id: string, sealed: Buffer): string =>
  service.tools.secrets.open(sealed, `webhook_subscriptions/${id}/secret`);

/** Returns every row of every table as text, in several encodings of binary values. */
async function everythingStored({ database }: TestService): Promise<string> {
  const tables = await database.rows<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_schema in ('public', 'graphile_worker') and table_type = 'BASE TABLE'`,
  );
  expect(tables.length).toBeGreaterThan(10);
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const [row] = await database.rows<{ text: string }>(
        `select coalesce(string_agg(t::text, ' '), '') as text from ${name} t`,
      );
      return row?.text ?? '';
    }),
  );
  return texts.join('\n');
}

describe('the secret of a subscription', () => {
  test('is in no other response, and not in plain text in the database', async ({ service }) => {
    const { call } = service;
    const { id, secret: first } = await subscribe(service);
    const regenerated = await call(`POST ${PATH}/${id}/regenerate-secret`, {
      body: { gracePeriodSeconds: 60 },
      headers: { 'idempotency-key': 'once' },
    });
    const { secret: second } = regenerated.body.data;
    const delivery = (await call(`POST ${PATH}/${id}/test`)).body.data.id;
    const answers = [
      await call(`GET ${PATH}`),
      await call(`GET ${PATH}/${id}`),
      await call(`PATCH ${PATH}/${id}`, { body: { description: 'x' } }),
      await call(`GET ${PATH}/${id}/deliveries`),
      await call(`POST ${PATH}/${id}/deliveries/${delivery}/retry`),
      await call('GET /api/v1/events'),
      await call(`DELETE ${PATH}/${id}`),
    ];
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(JSON.stringify(body)).not.toContain('secret');
      expect(JSON.stringify(body)).not.toContain('whsec_');
    }
    const text = await everythingStored(service);
    for (const secret of [first, second] as string[]) {
      const bytes = Buffer.from(secret);
      for (const hidden of [secret, bytes.toString('hex'), bytes.toString('base64')]) {
        expect(text).not.toContain(hidden);
      }
    }
    expect(text).not.toContain('whsec_');
  });

  test('is sealed to its context and opens to the returned secret, prefix included', async ({
    service,
  }) => {
    const { id, secret } = await subscribe(service);
    const row = await stored(service, id);
    expect(opened(service, id, row.secret)).toBe(secret);
    expect(() => opened(service, crypto.randomUUID(), row.secret)).toThrow();
  });

  test('is left out of the response to an idempotent repeat', async ({ service }) => {
    const options = { body: SUBSCRIPTION, headers: { 'idempotency-key': 'k1' } };
    const first = await service.call(`POST ${PATH}`, options);
    const again = await service.call(`POST ${PATH}`, options);
    const { secret, ...shown } = first.body.data;
    expect(secret).toMatch(/^whsec_/);
    expect([again.status, again.body]).toEqual([201, { data: shown }]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await service.call(`GET ${PATH}`)).body.meta.total).toBe(1);
  });
});

describe('regenerating a secret', () => {
  test('returns only the new one, and the old one becomes invalid at once', async ({ service }) => {
    const { id, secret } = await subscribe(service);
    const { status, body } = await service.call(`POST ${PATH}/${id}/regenerate-secret`);
    expect([status, Object.keys(body.data)]).toEqual([200, ['secret']]);
    expect(body.data.secret).toMatch(/^whsec_[\dA-Za-z]{40}$/);
    expect(body.data.secret).not.toBe(secret);
    const row = await stored(service, id);
    expect(opened(service, id, row.secret)).toBe(body.data.secret);
    expect(row).toMatchObject({ previous_secret: null, previous_until: null });
    expect(await audited(service, id)).toEqual(['webhooks.create', 'webhooks.regenerate-secret']);
    expect(await service.eventNames()).toEqual([]);
  });

  test('keeps the old one valid during the grace period', async ({ service }) => {
    const { id, secret } = await subscribe(service);
    const before = service.clock().getTime();
    const body = { gracePeriodSeconds: 7 * DAY_S };
    await service.call(`POST ${PATH}/${id}/regenerate-secret`, { body });
    const row = await stored(service, id);
    expect(opened(service, id, row.previous_secret)).toBe(secret);
    const graceMs = row.previous_until.getTime() - before;
    expect(graceMs).toBeGreaterThanOrEqual(7 * DAY_S * 1_000);
    expect(graceMs).toBeLessThan(7 * DAY_S * 1_000 + 60_000);
  });

  test('within the grace period invalidates the oldest one, and without a new grace period both', async ({
    service,
  }) => {
    const { id } = await subscribe(service);
    const regenerate = async (gracePeriodSeconds: number): Promise<string> =>
      (await service.call(`POST ${PATH}/${id}/regenerate-secret`, { body: { gracePeriodSeconds } }))
        .body.data.secret;
    const second = await regenerate(60);
    await regenerate(60);
    expect(opened(service, id, (await stored(service, id)).previous_secret)).toBe(second);
    await regenerate(0);
    expect((await stored(service, id)).previous_secret).toBeNull();
  });

  test('accepts no body or an empty one, and no unknown fields', async ({ service }) => {
    const { id } = await subscribe(service);
    const line = `POST ${PATH}/${id}/regenerate-secret`;
    const headers = { 'content-type': 'application/json' };
    for (const options of [{}, { headers }, { raw: '' }, { body: {} }]) {
      expect((await service.call(line, options)).status).toBe(200);
    }
    const { secret } = await stored(service, id);
    for (const gracePeriodSeconds of [-1, 604_801, 1.5, '60', null]) {
      const { status, body } = await service.call(line, { body: { gracePeriodSeconds } });
      expect([status, body.error.details.issues]).toMatchObject([
        400,
        [{ in: 'body', path: '/gracePeriodSeconds' }],
      ]);
    }
    expect((await service.call(line, { raw: 'null' })).status).toBe(400);
    expect((await service.call(line, { raw: '{' })).status).toBe(400);
    expect((await stored(service, id)).secret).toEqual(secret);
  });
});
