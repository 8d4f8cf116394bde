import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, type TestService } from '../../support/service.ts';
import { head, openWire } from '../../support/wire.ts';

const posting = ({ keys }: TestService, headers: Record<string, string | number>) =>
  head('POST /api/v1/contacts', {
    authorization: `Bearer ${keys.full}`,
    'content-type': 'application/json',
    ...headers,
  });
const NO_CONTACT = '11111111-1111-4111-8111-111111111111';
const ADA = '{"firstName":"Ada","lastName":"Lovelace"}';

const contactsOf = async (service: TestService) =>
  (await service.call('GET /api/v1/contacts')).body.meta.total as number;

/** Waits until the server uses no connection to the database. */
async function isIdle({ database: { pool } }: TestService): Promise<void> {
  const used = () => pool.totalCount - pool.idleCount + pool.waitingCount;
  await expect.poll(used).toBe(0);
}

describe('a body', () => {
  test('can arrive byte by byte', async ({ service }) => {
    const wire = await openWire(service.url);
    wire.send(posting(service, { 'content-length': ADA.length }));
    for (const byte of ADA) {
      wire.send(byte);
      await sleep(1);
    }
    expect((await wire.answer()).status).toBe(201);
    wire.hangUp();
  });

  test('can arrive in chunks that split a character', async ({ service }) => {
    const bytes = Buffer.from('{"firstName":"Zoë","lastName":"🎉"}');
    const wire = await openWire(service.url);
    wire.send(posting(service, { 'transfer-encoding': 'chunked' }));
    for (const byte of bytes) {
      wire.send('1\r\n');
      wire.send(Buffer.of(byte));
      wire.send('\r\n');
    }
    wire.send('0\r\n\r\n');
    const { status, text } = await wire.answer();
    expect([status, Buffer.from(text, 'latin1').toString()]).toEqual([
      201,
      expect.stringContaining('"firstName":"Zoë","lastName":"🎉"'),
    ]);
    wire.hangUp();
  });

  test('that is compressed on its way is refused', async ({ service }) => {
    const wire = await openWire(service.url);
    wire.send(posting(service, { 'transfer-encoding': 'gzip, chunked' }));
    wire.send(`${ADA.length.toString(16)}\r\n${ADA}\r\n0\r\n\r\n`);
    expect((await wire.answer()).status).toBe(415);
    expect(await contactsOf(service)).toBe(0);
    wire.hangUp();
  });

  test('that never arrives completely changes nothing and leaves the server usable', async ({
    service,
  }) => {
    for (const headers of [{ 'content-length': 500 }, { 'transfer-encoding': 'chunked' }]) {
      for (const part of ['', '2', ADA]) {
        const wire = await openWire(service.url);
        wire.send(posting(service, headers) + part);
        await sleep(20);
        wire.hangUp();
      }
    }
    // The server accepts a later connection after it has seen that those have closed.
    const last = await openWire(service.url);
    last.send(posting(service, { 'content-length': ADA.length }) + ADA);
    expect((await last.answer()).status).toBe(201);
    last.hangUp();
    await isIdle(service);
    expect(await contactsOf(service)).toBe(1);
    expect(await service.eventNames()).toEqual(['contact.created']);
  });

  test('that is too large is read to its end, so that the sender gets the response', async ({
    service,
  }) => {
    const size = 8 * 2 ** 20;
    const wire = await openWire(service.url);
    wire.send(posting(service, { 'content-length': size }));
    wire.send(Buffer.alloc(size, ' '));
    expect((await wire.answer()).status).toBe(413);
    wire.send(posting(service, { 'content-length': ADA.length }) + ADA);
    expect((await wire.answer()).status).toBe(201);
    wire.hangUp();
  });

  test('that announces too large a size is refused before it arrives', async ({ service }) => {
    const wire = await openWire(service.url);
    wire.send(posting(service, { 'content-length': 10 ** 9 }));
    expect((await wire.answer()).status).toBe(413);
    wire.hangUp();
  });

  test('that is refused unread is reported after an unknown id and an unknown parameter', async ({
    service,
  }) => {
    const { id } = (await service.call('POST /api/v1/contacts', { body: JSON.parse(ADA) })).body
      .data as { id: string };
    const unread = [
      [413, { 'content-length': 2 ** 20 + 1 }],
      [415, { 'content-length': 2, 'content-encoding': 'gzip' }],
    ] as const;
    for (const [refusal, headers] of unread) {
      for (const [target, wanted] of [
        [`${id}?nope=1`, 400],
        [`${NO_CONTACT}?nope=1`, 404],
        [id, refusal],
      ] as const) {
        const wire = await openWire(service.url);
        wire.send(
          head(`PATCH /api/v1/contacts/${target}`, {
            authorization: `Bearer ${service.keys.full}`,
            'content-type': 'application/json',
            ...headers,
          }),
        );
        wire.send('{}');
        const { status, text } = await wire.answer();
        expect([target, status]).toEqual([target, wanted]);
        expect(text.includes('"path":"/nope"')).toBe(wanted === 400);
        wire.hangUp();
      }
    }
  });

  test('is requested if the client expects 100-continue', async ({ service }) => {
    const wire = await openWire(service.url);
    wire.send(posting(service, { 'content-length': ADA.length, expect: '100-continue' }));
    expect((await wire.answer()).status).toBe(100);
    wire.send(ADA);
    expect((await wire.answer()).status).toBe(201);
    wire.hangUp();
  });

  test('of a GET is ignored', async ({ service }) => {
    const wire = await openWire(service.url);
    const headers = { authorization: `Bearer ${service.keys.full}`, 'content-length': 9 };
    wire.send(`${head('GET /api/v1/contacts', headers)}{"a": nul`);
    expect((await wire.answer()).status).toBe(200);
    wire.send(posting(service, { 'content-length': ADA.length }) + ADA);
    expect((await wire.answer()).status).toBe(201);
    wire.hangUp();
  });
});

describe('a client that disconnects before the response', () => {
  test('has its change made at most once, and the server goes on', async ({ service }) => {
    const wires = await Promise.all(Array.from({ length: 20 }, () => openWire(service.url)));
    for (const wire of wires) {
      wire.send(posting(service, { 'content-length': ADA.length }) + ADA);
    }
    await sleep(1);
    wires.forEach((wire) => wire.hangUp());
    await isIdle(service);
    // In one statement: some changes may still be under way.
    const { database, subAccountId } = service;
    const [made] = await database.rows<{ contacts: number; events: number }>(
      `select (select count(*)::int from contacts where sub_account_id = $1) as contacts,
         (select count(*)::int from outbox where sub_account_id = $1)
           + (select count(*)::int from events where sub_account_id = $1) as events`,
      [subAccountId],
    );
    expect(made?.contacts).toBeLessThanOrEqual(20);
    expect(made?.events).toBe(made?.contacts);
    expect((await service.call('POST /api/v1/contacts', { raw: ADA })).status).toBe(201);
  });
});
