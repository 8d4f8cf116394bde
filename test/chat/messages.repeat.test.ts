import { describe, expect, test, type TestService } from '../support/service.ts';
import { began, said, seen, setUpChat, textsIn, visit } from './chat.support.ts';

const KEY = { 'idempotency-key': 'of this message' };

const sent = (service: TestService, body: object, headers: Record<string, string> = KEY) =>
  visit(service, 'POST /api/chat/message', body, headers);

const kept = ({ database, subAccountId }: TestService) =>
  database.rows('select * from idempotency_keys where sub_account_id = $1', [subAccountId]);

describe('a message that is repeated with its key', () => {
  test('is stored once, gets the same response, and fires one event', async ({ service }) => {
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

  test('five times concurrently is stored once, twenty times', async ({ service }) => {
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

  test('is a new message in another chat: a key belongs to its visitor', async ({ service }) => {
    await setUpChat(service);
    for (const sessionId of [await began(service), await began(service)]) {
      expect((await sent(service, { sessionId, message: 'Hello' })).status).toBe(201);
      expect(textsIn(await seen(service, sessionId))).toEqual(['Hello']);
    }
  });

  test('and another text is refused and changes nothing', async ({ service }) => {
    await setUpChat(service);
    const sessionId = await began(service);
    await sent(service, { sessionId, message: 'Hello' });
    const other = await sent(service, { sessionId, message: 'Goodbye' });
    expect([other.status, other.body.error.code]).toEqual([422, 'IDEMPOTENCY_MISMATCH']);
    expect(other.headers.get('access-control-allow-origin')).toBe('*');
    expect(textsIn(await seen(service, sessionId))).toEqual(['Hello']);
  });

  test('is stored twice without a key', async ({ service }) => {
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

  test('is not stored for an unknown chat, and never with the secret of a chat', async ({
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

  test('is allowed from any origin', async ({ service }) => {
    const answer = await service.call('OPTIONS /api/chat/message', { key: null });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-headers')).toContain('idempotency-key');
  });

  test('is ignored by endpoints without idempotency', async ({ service }) => {
    await setUpChat(service);
    const body = { subAccountId: service.subAccountId, visitorName: 'Ada' };
    const begin = () => visit(service, 'POST /api/chat/session', body, KEY);
    const [one, other] = [await begin(), await begin()];
    expect(one.body.data.sessionId).not.toBe(other.body.data.sessionId);
  });
});
