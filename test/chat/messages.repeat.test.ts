import { describe, expect, test, type TestService } from '../support/service.ts';
import { began, said, seen, setUpChat, textsIn, visit } from './chat.support.ts';

const KEY = { 'idempotency-key': 'of this message' };

const sent = (service: TestService, body: object, headers: Record<string, string> = KEY) =>
  visit(service, 'POST /api/chat/message', body, headers);

const kept = ({ database, subAccountId }: TestService) =>
  database.rows('select * from idempotency_keys where sub_account_id = $1', [subAccountId]);

describe('a message that is sent again with its key', () => {
  test('is said once, answered alike, and fires once', async ({ service }) => {
    await setUpChat(service);
    const sessionId = await began(service);
    await service.events();
    const first = await sent(service, { sessionId, message: 'Hello' });
    const again = await sent(service, { sessionId, message: 'Hello' });
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
    expect(first.headers.get('idempotent-replayed')).toBe(null);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await seen(service, sessionId)).toEqual([first.body.data]);
    expect(await service.eventNames()).toEqual(['message.received']);
  });

  test('at once, five times, is said once, twenty times', async ({ service }) => {
    await setUpChat(service);
    for (let round = 0; round < 20; round += 1) {
      const sessionId = await began(service);
      await service.events();
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => sent(service, { sessionId, message: 'Hello' })),
      );
      for (const { status, body } of answers) {
        expect([201, 409], JSON.stringify(body)).toContain(status);
      }
      expect((await sent(service, { sessionId, message: 'Hello' })).status).toBe(201);
      expect(await seen(service, sessionId)).toHaveLength(1);
      expect(await service.eventNames()).toEqual(['message.received']);
    }
  });

  test('is another one in another chat: a key is that of its visitor', async ({ service }) => {
    await setUpChat(service);
    for (const sessionId of [await began(service), await began(service)]) {
      expect((await sent(service, { sessionId, message: 'Hello' })).status).toBe(201);
      expect(textsIn(await seen(service, sessionId))).toEqual(['Hello']);
    }
  });

  test('and other words is refused, and changes nothing', async ({ service }) => {
    await setUpChat(service);
    const sessionId = await began(service);
    await sent(service, { sessionId, message: 'Hello' });
    const other = await sent(service, { sessionId, message: 'Goodbye' });
    expect([other.status, other.body.error.code]).toEqual([422, 'IDEMPOTENCY_MISMATCH']);
    expect(other.headers.get('access-control-allow-origin')).toBe('*');
    expect(textsIn(await seen(service, sessionId))).toEqual(['Hello']);
  });

  test('without one is said twice', async ({ service }) => {
    await setUpChat(service);
    const sessionId = await began(service);
    await said(service, sessionId, 'Hello');
    await said(service, sessionId, 'Hello');
    expect(await seen(service, sessionId)).toHaveLength(2);
  });
});

describe('the key of a visitor', () => {
  test('of more than 255 characters is refused', async ({ service }) => {
    await setUpChat(service);
    const sessionId = await began(service);
    const long = { 'idempotency-key': 'x'.repeat(256) };
    const { status, body } = await sent(service, { sessionId, message: 'Hello' }, long);
    expect([status, body.error.details.issues[0]]).toMatchObject([400, { in: 'header' }]);
    expect(await seen(service, sessionId)).toEqual([]);
  });

  test('keeps nothing where there is no such chat, and of a chat no secret', async ({
    service,
  }) => {
    await setUpChat(service);
    const sessionId = await began(service);
    const unknown = `${sessionId.slice(0, 30)}${'A'.repeat(13)}`;
    expect((await sent(service, { sessionId: unknown, message: 'Hello' })).status).toBe(404);
    expect(await kept(service)).toEqual([]);
    await sent(service, { sessionId, message: 'Hello' });
    const rows = await kept(service);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(sessionId);
  });

  test('may be sent by the page of any site', async ({ service }) => {
    const answer = await service.call('OPTIONS /api/chat/message', { key: null });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-headers')).toContain('idempotency-key');
  });

  test('means nothing at a call that cannot be repeated', async ({ service }) => {
    await setUpChat(service);
    const body = { subAccountId: service.subAccountId, visitorName: 'Ada' };
    const begin = () => visit(service, 'POST /api/chat/session', body, KEY);
    const [one, other] = [await begin(), await begin()];
    expect(one.body.data.sessionId).not.toBe(other.body.data.sessionId);
  });
});
