import { describe, expect, test } from '../../support/service.ts';
import { newContact } from '../../tasks/tasks.support.ts';
import {
  brought,
  callBack,
  contactsOf,
  FRESH,
  setUpBridge,
  threadsOf,
  words,
} from './callbacks.support.ts';

describe('concurrent callbacks', () => {
  test('five identical ones are one message, twenty times', async ({ service }) => {
    await setUpBridge(service, 'sms');
    for (let round = 0; round < 20; round += 1) {
      const said = words({ from: `+49301234${100 + round}` });
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => callBack(service, 'sms', 'inbound', said)),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
      expect(new Set(answers.map(({ body }) => body.data.messageId)).size).toBe(1);
      expect(await service.eventNames()).toEqual(FRESH);
      expect(await contactsOf(service)).toHaveLength(round + 1);
      const threads = await threadsOf(service);
      expect(threads).toHaveLength(round + 1);
      expect(threads[0].unreadCount).toBe(1);
    }
  });

  test('two messages from a new sender share one thread, twenty times', async ({ service }) => {
    await setUpBridge(service, 'email');
    for (let round = 0; round < 20; round += 1) {
      const from = `ada-${round}@example.com`;
      const said = [words({ from }), words({ from: from.toUpperCase() })];
      await Promise.all(said.map((one) => brought(service, 'email', one)));
      const names = await service.eventNames();
      expect(names.toSorted()).toEqual([...FRESH, 'message.received']);
      const threads = await threadsOf(service);
      expect(threads).toHaveLength(round + 1);
      expect(threads[0].unreadCount).toBe(2);
    }
  });

  test.for([
    ['sms', '+49301234'],
    ['social_dm', 'ada-'],
  ] as const)(
    'during a merge of their contact reach the kept contact, twenty times: %s',
    async ([channel, name], { service }) => {
      await setUpBridge(service, channel);
      for (let round = 0; round < 20; round += 1) {
        const from = `${name}${100 + round}`;
        await brought(service, channel, words({ from }));
        const [{ contactId }] = await threadsOf(service);
        const kept = await newContact(service);
        const [merged, ...responses] = await Promise.all([
          service.call(`POST /api/v1/contacts/${kept}/merge`, { body: { contactId } }),
          ...[1, 2, 3].map(() => callBack(service, channel, 'inbound', words({ from }))),
        ]);
        expect([merged.status, ...responses.map(({ status }) => status)]).toEqual([
          200, 200, 200, 200,
        ]);
        const threads = await threadsOf(service);
        expect(threads[0]).toMatchObject({ contactId: kept, unreadCount: 4 });
        expect([threads.length, (await contactsOf(service)).length]).toEqual([
          round + 1,
          round + 1,
        ]);
      }
    },
  );

  test('during the creation of the same contact by a caller result in one contact', async ({
    service,
  }) => {
    await setUpBridge(service, 'email');
    for (let round = 0; round < 20; round += 1) {
      const email = `grace-${round}@example.com`;
      const body = { firstName: 'Grace', lastName: 'Hopper', email };
      const said = words({ from: email });
      const [brought, made] = await Promise.all([
        callBack(service, 'email', 'inbound', said),
        service.call('POST /api/v1/contacts', { body }),
      ]);
      expect([200, 503]).toContain(brought.status);
      expect([201, 400]).toContain(made.status);
      expect((await callBack(service, 'email', 'inbound', said)).status).toBe(200);
      expect(await contactsOf(service)).toHaveLength(round + 1);
      expect((await service.eventNames()).toSorted()).toEqual(FRESH);
    }
  });
});
