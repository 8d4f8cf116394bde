import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, type TestService } from '../../support/service.ts';
import { head, openWire } from '../../support/wire.ts';

const posting = ({ keys }: TestService, headers: Record<string, string | number>) =>
  head('POST /api/v1/contacts', {
    authorization: `Bearer ${keys.full}`,
    'content-type': 'application/json',
    ...headers,
  });
const ADA = '{"firstName":"Ada","lastName":"Lovelace"}';

const contactsOf = async (service: TestService) =>
  (await service.call('GET /api/v1/contacts')).body.meta.total as number;

/** Waits until the server uses no connection to the database. */
async function isIdle({ database: { pool } }: TestService): Promise<void> {
  const used = () => pool.totalCount - pool.idleCount + pool.waitingCount;
  await expect.poll(used).toBe(0);
}

describe('a body', () => {
  test('may come a byte at a time', async ({ service }) => {
    const wire = await openWire(service.url);
    wire.send(posting(service, { 'content-length': ADA.length }));
    for (const byte of ADA) {
      wire.send(byte);
      await sleep(1);
    }
    expect((await wire.answer()).status).toBe(201);
    wire.hangUp();
  });

  test('may come in chunks that cut a character in two', async ({ service }) => {
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

  test('that never arrives whole changes nothing and harms nobody', async ({ service }) => {
    for (const headers of [{ 'content-length': 500 }, { 'transfer-encoding': 'chunked' }]) {
      for (const part of ['', '2', ADA]) {
        const wire = await openWire(service.url);
        wire.send(posting(service, headers) + part);
        await sleep(20);
        wire.hangUp();
      }
    }
    // The server hears of a connection that is made later after it has heard that those are gone.
    const last = await openWire(service.url);
    last.send(posting(service, { 'content-length': ADA.length }) + ADA);
    expect((await last.answer()).status).toBe(201);
    last.hangUp();
    await isIdle(service);
    expect(await contactsOf(service)).toBe(1);
    expect(await service.eventNames()).toEqual(['contact.created']);
  });

  test('that is too large is read to its end, so that its sender hears of it', async ({
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

  test('that is too large is refused before it comes', async ({ service }) => {
    const wire = await openWire(service.url);
    wire.send(posting(service, { 'content-length': 10 ** 9 }));
    expect((await wire.answer()).status).toBe(413);
    wire.hangUp();
  });

  test('is asked for where the client waits for it', async ({ service }) => {
    const wire = await openWire(service.url);
    wire.send(posting(service, { 'content-length': ADA.length, expect: '100-continue' }));
    expect((await wire.answer()).status).toBe(100);
    wire.send(ADA);
    expect((await wire.answer()).status).toBe(201);
    wire.hangUp();
  });

  test('of a GET is left unread', async ({ service }) => {
    const wire = await openWire(service.url);
    const headers = { authorization: `Bearer ${service.keys.full}`, 'content-length': 9 };
    wire.send(`${head('GET /api/v1/contacts', headers)}{"a": nul`);
    expect((await wire.answer()).status).toBe(200);
    wire.send(posting(service, { 'content-length': ADA.length }) + ADA);
    expect((await wire.answer()).status).toBe(201);
    wire.hangUp();
  });
});

describe('a client that hangs up before the answer', () => {
  test('has his change made once, and the server goes on', async ({ service }) => {
    const wires = await Promise.all(Array.from({ length: 20 }, () => openWire(service.url)));
    for (const wire of wires) {
      wire.send(posting(service, { 'content-length': ADA.length }) + ADA);
    }
    await sleep(1);
    wires.forEach((wire) => wire.hangUp());
    await isIdle(service);
    // In one statement: some may still be made.
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
