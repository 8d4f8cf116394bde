import type { JobContext } from '#core/job.ts';
import { handleOpenSnoozed } from '../../../src/conversations/threads/open-snoozed.ts';
import { began, chatsOf, said, setUpChat } from '../../chat/chat.support.ts';
import { traces } from '../../support/samples.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';
import { newThread, opened, patched, threadOf } from '../conversations.support.ts';
import { brought, setUpBridge, words } from '../inbound/callbacks.support.ts';

const HOUR_MS = 3_600_000;

const inAnHour = ({ clock }: TestService): number => clock().getTime() + HOUR_MS;

const isoOf = (ms: number): string => new Date(ms).toISOString();

const patch = (service: TestService, id: string, body: object) =>
  service.call(`PATCH /api/v1/conversations/${id}`, { body });

/** Runs the periodic job, as a worker would at this time. */
async function woken(service: TestService, at: number): Promise<void> {
  const { openView, transact } = service;
  const log = { info: () => undefined, warn: () => undefined };
  const actor = { ...service.actor, kind: 'job', name: 'conversations/open-snoozed' } as const;
  const { signal } = new AbortController();
  const context = { openView, transact, actor, log, signal, clock: () => new Date(at) };
  await handleOpenSnoozed.handle({}, context as unknown as JobContext);
}

describe('snoozedUntil', () => {
  test('is set with the status, by ISO 8601 or epoch milliseconds, and fires nothing', async ({
    service,
  }) => {
    const { id } = await newThread(service);
    const at = inAnHour(service);
    const offset = isoOf(at + 2 * HOUR_MS).replace('Z', '+02:00');
    for (const snoozedUntil of [at, isoOf(at), offset]) {
      await patched(service, id, { status: 'open' });
      expect(await patched(service, id, { status: 'snoozed', snoozedUntil })).toMatchObject({
        status: 'snoozed',
        snoozedUntil: isoOf(at),
      });
    }
    const { body } = await service.call('GET /api/v1/conversations');
    expect(body.data).toMatchObject([{ id, snoozedUntil: isoOf(at) }]);
    expect(await service.eventNames()).toEqual([]);
  });

  test('can be moved, kept and cleared while the conversation is snoozed', async ({ service }) => {
    const { id } = await newThread(service);
    const at = inAnHour(service);
    expect(await patched(service, id, { status: 'snoozed' })).toMatchObject({ snoozedUntil: null });
    for (const [body, snoozedUntil] of [
      [{ snoozedUntil: at }, isoOf(at)],
      [{ snoozedUntil: at + 1 }, isoOf(at + 1)],
      [{ status: 'snoozed' }, isoOf(at + 1)],
      [{ isArchived: true }, isoOf(at + 1)],
      [{ snoozedUntil: null }, null],
    ] as const) {
      expect(await patched(service, id, body)).toMatchObject({ status: 'snoozed', snoozedUntil });
    }
  });

  test.for(['open', 'closed'])('is cleared by status %s', async (status, { service }) => {
    const { id } = await newThread(service);
    await patched(service, id, { status: 'snoozed', snoozedUntil: inAnHour(service) });
    expect(await patched(service, id, { status })).toMatchObject({ status, snoozedUntil: null });
    await woken(service, inAnHour(service));
    expect(await threadOf(service, id)).toMatchObject({ status });
  });

  test('equal to the current one changes nothing', async ({ service }) => {
    const { id } = await newThread(service);
    const snoozedUntil = inAnHour(service);
    await patched(service, id, { status: 'snoozed', snoozedUntil });
    const before = await traces(service);
    await patched(service, id, { status: 'snoozed', snoozedUntil });
    expect(await traces(service)).toEqual(before);
  });

  test('is refused in the past, in seconds, and for a conversation that is not snoozed', async ({
    service,
  }) => {
    const { id } = await newThread(service);
    const now = service.clock().getTime();
    const seconds = Math.floor(inAnHour(service) / 1_000);
    for (const [body, message] of [
      [{ status: 'snoozed', snoozedUntil: now }, 'must be in the future'],
      [{ status: 'snoozed', snoozedUntil: '2020-01-01T00:00:00Z' }, 'must be in the future'],
      [{ status: 'snoozed', snoozedUntil: seconds }, `${seconds} looks like seconds`],
      [{ snoozedUntil: now + HOUR_MS }, 'needs status snoozed'],
      [{ status: 'closed', snoozedUntil: now + HOUR_MS }, 'needs status snoozed'],
    ] as const) {
      const { status, body: answer } = await patch(service, id, body);
      expect([status, answer.error.code]).toEqual([400, 'VALIDATION_ERROR']);
      expect(answer.error.details.issues).toMatchObject([{ in: 'body', path: '/snoozedUntil' }]);
      expect(answer.error.details.issues[0].message).toContain(message);
    }
    for (const snoozedUntil of ['tomorrow', '2099-01-01', true, -1]) {
      expect((await patch(service, id, { status: 'snoozed', snoozedUntil })).status).toBe(400);
    }
    expect(await threadOf(service, id)).toMatchObject({ status: 'open', snoozedUntil: null });
  });
});

describe('a snoozed conversation', () => {
  test('opens at its time, once, by whichever worker runs first, and is audited', async ({
    service,
  }) => {
    const { id } = await newThread(service);
    const at = inAnHour(service);
    await patched(service, id, { status: 'snoozed', snoozedUntil: at });
    await woken(service, at - 1);
    expect(await threadOf(service, id)).toMatchObject({ status: 'snoozed' });
    await Promise.all([woken(service, at), woken(service, at), woken(service, at)]);
    expect(await threadOf(service, id)).toMatchObject({ status: 'open', snoozedUntil: null });
    const audited = await service.database.rows(
      `select from audit_entries where record_id = $1 and actor_kind = 'job'`,
      [id],
    );
    expect(audited).toHaveLength(1);
    expect(await service.eventNames()).toEqual([]);
  });

  test('without a time stays snoozed', async ({ service }) => {
    const { id } = await newThread(service);
    await patched(service, id, { status: 'snoozed' });
    await woken(service, inAnHour(service) + HOUR_MS);
    expect(await threadOf(service, id)).toMatchObject({ status: 'snoozed' });
  });

  test('waits while its contact has another open one on the channel', async ({ service }) => {
    const { id, contactId } = await newThread(service, 'messenger');
    const at = inAnHour(service);
    await patched(service, id, { status: 'snoozed', snoozedUntil: at });
    const other = await opened(service, { contactId, channel: 'messenger' });
    await woken(service, at);
    expect(await threadOf(service, id)).toMatchObject({ status: 'snoozed' });
    await patched(service, other.id, { status: 'closed' });
    await woken(service, at);
    expect(await threadOf(service, id)).toMatchObject({ status: 'open', snoozedUntil: null });
  });

  test.for([true, false])(
    'opens when a message arrives and leaves the archive (archived: %s)',
    async (isArchived, { service }) => {
      await setUpBridge(service, 'sms');
      await brought(service, 'sms', words());
      const [{ id }] = (await service.call('GET /api/v1/conversations')).body.data;
      const snoozedUntil = inAnHour(service);
      await patched(service, id, { status: 'snoozed', snoozedUntil, isArchived });
      await service.events();
      await brought(service, 'sms', words());
      expect(await threadOf(service, id)).toMatchObject({
        status: 'open',
        snoozedUntil: null,
        isArchived: false,
        unreadCount: 2,
      });
      expect(await service.eventNames()).toEqual(['message.received']);
    },
  );

  test('of the widget opens and leaves the archive when its visitor writes', async ({
    service,
  }) => {
    await setUpChat(service);
    const sessionId = await began(service);
    const [{ id }] = await chatsOf(service);
    const snoozedUntil = inAnHour(service);
    await patched(service, id, { status: 'snoozed', snoozedUntil, isArchived: true });
    await service.events();
    await said(service, sessionId, 'Hello?');
    expect(await threadOf(service, id)).toMatchObject({
      status: 'open',
      snoozedUntil: null,
      isArchived: false,
    });
    expect(await service.eventNames()).toEqual(['message.received']);
  });
});

test('isArchived is set and cleared alone, and fires nothing', async ({ service }) => {
  const { id } = await newThread(service);
  const before = await threadOf(service, id);
  expect(await patched(service, id, { isArchived: true })).toEqual({ ...before, isArchived: true });
  expect(await patched(service, id, { isArchived: false })).toEqual(before);
  expect((await patch(service, id, { isArchived: null })).status).toBe(400);
  expect(await service.eventNames()).toEqual([]);
});
