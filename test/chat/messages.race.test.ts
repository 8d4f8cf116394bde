import { openServer } from '../support/server.ts';
import { caller, describe, expect, test, type TestService } from '../support/service.ts';
import { newContact } from '../tasks/tasks.support.ts';
import { began, chatsOf, replied, said, seen, setUpChat, visit } from './chat.support.ts';

const EACH = 6;

describe('a reader that names its last message', () => {
  test('misses no message, even if the clocks of the writers differ, twenty times', async ({
    service,
  }) => {
    const { databaseUrl, keys } = service;
    // Its ids sort before those of the others.
    const late = await openServer({ databaseUrl, clock: () => new Date(Date.now() - 60_000) });
    const elsewhere = { call: caller(late.url, keys), keys };
    await setUpChat(service);
    for (let round = 0; round < 20; round += 1) {
      const sessionId = await began(service);
      const [{ id }] = await chatsOf(service);
      const read: any[] = [];
      // All later messages of that process have smaller ids.
      const written: Promise<any>[] = [Promise.resolve(await said(service, sessionId, 'first'))];
      for (let n = 0; n < EACH; n += 1) {
        written.push(said(service, sessionId, `visitor ${n}`));
        written.push(replied(elsewhere, id, `agent ${n}`));
      }
      await expect
        .poll(
          async () => {
            read.push(...(await seen(service, sessionId, read.at(-1)?.id)));
            return read.length;
          },
          { interval: 1, timeout: 60_000 },
        )
        .toBe(1 + EACH * 2);
      const ids: string[] = (await Promise.all(written)).map((message) => message.id);
      expect(new Set(read.map((message) => message.id))).toEqual(new Set(ids));
      expect(await seen(service, sessionId)).toEqual(read);
      expect(read.map((message) => message.id)).not.toEqual(
        ids.toSorted((a, b) => (a < b ? -1 : 1)),
      );
    }
    await late.stop();
  });
});

describe('a visitor’s message', () => {
  const writing = (service: TestService, sessionId: string) =>
    Promise.all(
      Array.from({ length: 4 }, (_, n) =>
        visit(service, 'POST /api/chat/message', { sessionId, message: String(n) }),
      ),
    );

  test('is not lost during a merge of the contact, twenty times', async ({ service }) => {
    await setUpChat(service);
    for (let round = 0; round < 20; round += 1) {
      const sessionId = await began(service, { visitorName: `Ada ${round}` });
      const [{ id, contactId }] = await chatsOf(service);
      const keptId = await newContact(service);
      const [answers, merged] = await Promise.all([
        writing(service, sessionId),
        service.call(`POST /api/v1/contacts/${keptId}/merge`, { body: { contactId } }),
      ]);
      expect([...answers, merged].map(({ status }) => status)).toEqual([201, 201, 201, 201, 200]);
      expect(await seen(service, sessionId)).toHaveLength(4);
      expect((await chatsOf(service))[0]).toMatchObject({ id, contactId: keptId, unreadCount: 4 });
    }
  });

  test('is stored or gets a 404 during the deletion of the contact, twenty times', async ({
    service,
  }) => {
    await setUpChat(service);
    for (let round = 0; round < 20; round += 1) {
      const sessionId = await began(service, { visitorName: `Ada ${round}` });
      const [{ contactId }] = await chatsOf(service);
      await service.events();
      const [answers, deleted] = await Promise.all([
        writing(service, sessionId),
        service.call(`DELETE /api/v1/contacts/${contactId}`),
      ]);
      expect(deleted.status).toBe(200);
      const written = answers.filter(({ status }) => status === 201);
      expect(answers.filter(({ status }) => status === 404)).toHaveLength(4 - written.length);
      expect(await service.eventNames()).toEqual(written.map(() => 'message.received'));
      const again = await visit(service, `GET /api/chat/messages?sessionId=${sessionId}`);
      expect(again.status).toBe(404);
    }
  });
});
