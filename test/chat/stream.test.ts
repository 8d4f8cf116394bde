import { openServer } from '../support/server.ts';
import { follow, type Following } from '../support/event-source.ts';
import { describe, expect, test as base, type TestService } from '../support/service.ts';
import { began, chatsOf, replied, said, seen, setUpChat } from './chat.support.ts';

/** Simulates a second server process. */
const test = base.extend<{ other: { url: string } }>({
  other: async ({ running: { databaseUrl } }, use) => {
    const other = await openServer({ databaseUrl });
    await use(other);
    await other.stop();
  },
});

const addressOf = ({ url }: { readonly url: string }, sessionId: string, more = ''): string =>
  `${url}/api/chat/stream?sessionId=${sessionId}${more}`;

async function newChat(service: TestService) {
  await setUpChat(service);
  const sessionId = await began(service);
  const [{ id, contactId }] = await chatsOf(service);
  return { sessionId, id, contactId };
}

const rowsOf = ({ events }: Following) => events.map(({ data }) => data);

describe('the stream', () => {
  test('yields earlier and new messages, in every process, as they are listed', async ({
    service,
    other,
  }) => {
    const { sessionId, id } = await newChat(service);
    await said(service, sessionId, 'Hello');
    const streams = await Promise.all(
      [service, other].map((at) => follow(addressOf(at, sessionId))),
    );
    for (const stream of streams) {
      expect([stream.status, stream.headers.get('content-type')]).toEqual([
        200,
        'text/event-stream',
      ]);
      expect(stream.headers.get('access-control-allow-origin')).toBe('*');
      expect(stream.headers.get('cache-control')).toBe('no-store');
      await stream.until(1);
    }
    await replied(service, id, 'What can I do?', other.url);
    await said(service, sessionId, 'Nothing\nreally');
    const rows = await seen(service, sessionId);
    expect(rows).toHaveLength(3);
    for (const stream of streams) {
      await stream.until(3);
      expect(rowsOf(stream)).toEqual(rows);
      expect(stream.events.map((event) => [event.id, event.event])).toEqual(
        rows.map((row) => [row.id, 'message']),
      );
      stream.leave();
    }
  });

  test('starts after the reader’s last message; Last-Event-ID takes precedence over the query', async ({
    service,
  }) => {
    const { sessionId } = await newChat(service);
    const rows: any[] = [];
    for (let n = 0; n < 4; n += 1) {
      rows.push(await said(service, sessionId, String(n)));
    }
    const after = (n: number) => `&after=${rows[n].id}`;
    const ways = [
      [await follow(addressOf(service, sessionId, after(1))), 2],
      [await follow(addressOf(service, sessionId, after(1)), { 'last-event-id': rows[2].id }), 3],
      [await follow(addressOf(service, sessionId), { 'last-event-id': 'nonsense' }), 0],
      [await follow(addressOf(service, sessionId), { 'last-event-id': crypto.randomUUID() }), 0],
    ] as const;
    for (const [stream, from] of ways) {
      await stream.until(rows.length - from);
      expect(rowsOf(stream)).toEqual(rows.slice(from));
      stream.leave();
    }
  });

  test('yields more than one page of earlier messages', async ({ service }) => {
    const { sessionId, id } = await newChat(service);
    const { database, subAccountId } = service;
    await database.rows(
      `insert into messages (sub_account_id, id, conversation_id, channel, direction, body_text,
         status, created_at)
       select $1, gen_random_uuid(), $2, 'live_chat', 'outbound', n::text, 'sent', now()
       from generate_series(1, 250) n`,
      [subAccountId, id],
    );
    const stream = await follow(addressOf(service, sessionId));
    await stream.until(250);
    const numbers = Array.from({ length: 250 }, (_, n) => String(n + 1));
    expect(rowsOf(stream).map(({ bodyText }) => bodyText)).toEqual(numbers);
    stream.leave();
  });

  test('yields neither notes nor messages of the contact’s other chats', async ({ service }) => {
    const { sessionId, id } = await newChat(service);
    const other = await began(service);
    const stream = await follow(addressOf(service, sessionId));
    await said(service, other, 'Elsewhere');
    const note = { channel: 'live_chat', bodyText: 'A note', isInternal: true };
    await service.call(`POST /api/v1/conversations/${id}/messages`, { body: note });
    await replied(service, id, 'Hello');
    await stream.until(1);
    expect(rowsOf(stream).map(({ bodyText }) => bodyText)).toEqual(['Hello']);
    stream.leave();
  });

  test('continues while notifications are lost', async ({ service, other }) => {
    const { sessionId, id } = await newChat(service);
    const stream = await follow(addressOf(other, sessionId));
    for (let round = 1; round <= 3; round += 1) {
      await service.database.rows(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = 'frontdesk listen' and datname = current_database()`,
      );
      await replied(service, id, String(round));
      await stream.until(round);
    }
    expect(rowsOf(stream)).toEqual(await seen(service, sessionId));
    stream.leave();
  });

  test('ends when its contact is deleted', async ({ service, other }) => {
    const { sessionId, contactId } = await newChat(service);
    await said(service, sessionId, 'Hello');
    const stream = await follow(addressOf(other, sessionId));
    await stream.until(1);
    await service.call(`DELETE /api/v1/contacts/${contactId}`);
    expect(await stream.ended).toBe('closed');
    expect(await follow(addressOf(other, sessionId))).toMatchObject({ status: 404 });
  });

  test('yields every message to many readers while two processes write', async ({
    service,
    other,
  }) => {
    const { sessionId, id } = await newChat(service);
    const streams = await Promise.all(
      Array.from({ length: 20 }, (_, n) => follow(addressOf(n % 2 ? service : other, sessionId))),
    );
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        n % 2 ? said(service, sessionId, `v${n}`) : replied(service, id, `a${n}`, other.url),
      ),
    );
    const rows = await seen(service, sessionId);
    expect(rows).toHaveLength(20);
    for (const stream of streams) {
      await stream.until(20);
      expect(rowsOf(stream)).toEqual(rows);
      stream.leave();
    }
  });
});
