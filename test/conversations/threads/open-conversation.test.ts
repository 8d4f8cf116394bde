import { CHANNELS } from '../../../src/contacts/channels.ts';
import { traces } from '../../support/samples.ts';
import { describe, expect, test } from '../../support/service.ts';
import { deadContacts, newContact } from '../../tasks/tasks.support.ts';
import { ADA, newThread, opened, patched, threadOf } from '../conversations.support.ts';

describe('POST /api/v1/conversations', () => {
  test.for(CHANNELS)(
    'opens one by %s, then returns it with 200, and fires nothing',
    async (channel, { service }) => {
      const contactId = await newContact(service);
      const first = await opened(service, { contactId, channel });
      expect(first).toEqual({
        id: expect.any(String),
        contactId,
        channel,
        status: 'open',
        created: true,
      });
      const before = await traces(service);
      const second = await opened(service, { contactId, channel }, 200);
      expect(second).toEqual({ ...first, created: false });
      expect(await traces(service)).toBe(before);
      expect(await service.eventNames()).toEqual([]);
    },
  );

  test('is unassigned, with nothing unread and no message', async ({ service }) => {
    const contactId = await newContact(service, ADA);
    const body = { contactId, channel: 'gmail', subject: 'Your visit' };
    const { id } = await opened(service, body);
    expect(await threadOf(service, id)).toEqual({
      id,
      contactId,
      channel: 'gmail',
      status: 'open',
      assignedTo: null,
      subject: 'Your visit',
      unreadCount: 0,
      isArchived: false,
      snoozedUntil: null,
      visitorVerified: null,
      lastMessageAt: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      contact: { name: 'Ada Lovelace', email: ADA.email, phone: ADA.phone },
    });
  });

  test('without a subject may have null instead, on any channel', async ({ service }) => {
    const contactId = await newContact(service, ADA);
    const { id } = await opened(service, { contactId, channel: 'sms', subject: null });
    expect(await threadOf(service, id)).toMatchObject({ subject: null });
    expect(await service.eventNames()).toEqual([]);
  });

  test('is one per channel and contact', async ({ service }) => {
    const contactId = await newContact(service);
    const other = await newContact(service);
    const ids = [
      await opened(service, { contactId, channel: 'email' }),
      await opened(service, { contactId, channel: 'gmail' }),
      await opened(service, { contactId: other, channel: 'email' }),
    ].map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
  });

  test.for(CHANNELS.filter((channel) => channel !== 'sms'))(
    'a closed or snoozed one by %s does not change, and a new one is opened',
    async (channel, { service }) => {
      const { id, contactId } = await newThread(service, channel);
      for (const status of ['closed', 'snoozed']) {
        await patched(service, id, { status });
        const { id: next } = await opened(service, { contactId, channel });
        expect(next).not.toBe(id);
        expect((await threadOf(service, id)).status).toBe(status);
        await patched(service, next, { status: 'closed' });
      }
      expect(await service.eventNames()).toEqual([]);
    },
  );

  test('a closed or snoozed one by sms is reopened: a contact has only one', async ({
    service,
  }) => {
    const { id, contactId } = await newThread(service, 'sms');
    for (const status of ['closed', 'snoozed']) {
      await patched(service, id, { status });
      const again = await opened(service, { contactId, channel: 'sms' }, 200);
      expect(again).toEqual({ id, contactId, channel: 'sms', status: 'open', created: false });
      expect((await threadOf(service, id)).status).toBe('open');
    }
    expect(await service.eventNames()).toEqual([]);
  });

  test.for(CHANNELS)(
    'ten concurrent requests by %s open one, twenty times',
    async (channel, { service }) => {
      for (let round = 0; round < 20; round += 1) {
        const contactId = await newContact(service);
        const body = { contactId, channel };
        const answers = await Promise.all(
          Array.from({ length: 10 }, () => service.call('POST /api/v1/conversations', { body })),
        );
        expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
          ...Array(9).fill(200),
          201,
        ]);
        expect(new Set(answers.map((answer) => answer.body.data.id)).size).toBe(1);
      }
      expect(await service.eventNames()).toEqual([]);
    },
  );

  test.for(['email', 'sms'])(
    'while a closed one by %s is reopened, one is open at the end, twenty times',
    async (channel, { service }) => {
      for (let round = 0; round < 20; round += 1) {
        const { id, contactId } = await newThread(service, channel, {});
        await patched(service, id, { status: 'closed' });
        const body = { contactId, channel };
        const answers = await Promise.all([
          service.call('POST /api/v1/conversations', { body }),
          service.call(`PATCH /api/v1/conversations/${id}`, { body: { status: 'open' } }),
          service.call('POST /api/v1/conversations', { body }),
        ]);
        expect(answers.filter(({ status }) => ![200, 201, 400].includes(status))).toEqual([]);
        const found = await service.call(
          `GET /api/v1/conversations?contactId=${contactId}&status=open`,
        );
        expect(found.body.meta.total).toBe(1);
      }
    },
  );

  test('refuses a deleted, foreign or unknown contact', async ({ service }) => {
    for (const contactId of await deadContacts(service)) {
      const { status, body } = await service.call('POST /api/v1/conversations', {
        body: { contactId, channel: 'sms' },
      });
      expect([status, body.error.details.issues[0].path]).toEqual([400, '/contactId']);
    }
  });

  test.for(CHANNELS.filter((channel) => channel !== 'email' && channel !== 'gmail'))(
    'refuses a subject by %s',
    async (channel, { service }) => {
      const contactId = await newContact(service);
      const { status, body } = await service.call('POST /api/v1/conversations', {
        body: { contactId, channel, subject: 'Hi' },
      });
      expect([status, body.error.details.issues[0].path]).toEqual([400, '/subject']);
    },
  );

  test.for([
    [{ channel: 'fax' }, '/channel'],
    [{ channel: undefined }, '/channel'],
    [{ contactId: undefined }, '/contactId'],
    [{ contactId: 'ada' }, '/contactId'],
    [{ subject: ' ' }, '/subject'],
    [{ subject: 'x'.repeat(999) }, '/subject'],
    [{ status: 'open' }, '/status'],
  ] as const)('refuses %j', async ([wrong, path], { service }) => {
    const contactId = await newContact(service);
    const { status, body } = await service.call('POST /api/v1/conversations', {
      body: { contactId, channel: 'email', ...wrong },
    });
    expect([status, body.error.details.issues[0].path]).toEqual([400, path]);
    expect(await service.eventNames()).toEqual([]);
  });
});
