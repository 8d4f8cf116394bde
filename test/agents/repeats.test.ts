import { describe, expect, test } from '../support/service.ts';
import { connectAgent, issueKey } from './agents.support.ts';

const ADA = { firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com' };
const TASK = { title: 'Call back' };

describe('a repeated write', () => {
  test('is executed once within 10 minutes, whatever the order of arguments', async ({
    service,
  }) => {
    const { call } = await connectAgent(service.url, service.keys.full);
    const first = await call('run_action', {
      action: 'tasks.create',
      arguments: { title: 'a', priority: 'high' },
    });
    expect(await service.eventNames()).toEqual(['task.created']);
    const again = await call('run_action', {
      arguments: { priority: 'high', title: 'a' },
      action: 'tasks.create',
    });
    expect(again.content).toEqual({ ...first.content, repeated: true });
    expect(await service.eventNames()).toEqual([]);
  });

  test('runs again after 10 minutes, with repeat: true, and for another key', async ({
    service,
  }) => {
    const { call } = await connectAgent(service.url, service.keys.full);
    const other = await connectAgent(
      service.url,
      (await issueKey(service, { scopes: ['tasks:write'] })).key,
    );
    await call('run_action', { action: 'tasks.create', arguments: TASK });
    await other.call('save_task', TASK);
    await call('run_action', { action: 'tasks.create', arguments: TASK, repeat: true });
    service.clock.advance(10 * 60_000 + 1);
    const late = await call('run_action', { action: 'tasks.create', arguments: TASK });
    expect(late.content.repeated).toBeUndefined();
    expect(await service.eventNames()).toEqual(Array(4).fill('task.created'));
  });

  test('runs again after another write to the record', async ({ service }) => {
    const { call } = await connectAgent(service.url, service.keys.full);
    const { content } = await call('save_contact', ADA);
    const contactId = content.data.id;
    const to = (city: string) => call('save_contact', { contactId, city });
    expect((await to('Berlin')).content.repeated).toBeUndefined();
    expect((await to('Berlin')).content.repeated).toBe(true);
    await service.call(`PATCH /api/v1/contacts/${contactId}`, { body: { city: 'Paris' } });
    expect((await to('Berlin')).content).toMatchObject({ data: { city: 'Berlin' } });
    const { body } = await service.call(`GET /api/v1/contacts/${contactId}`);
    expect(body.data.city).toBe('Berlin');
  });

  test('of a refused call is tried again', async ({ service }) => {
    const { call } = await connectAgent(service.url, service.keys.full);
    const refused = await call('save_contact', { firstName: 'Ada', phone: '030' });
    expect(refused).toMatchObject({
      isError: true,
      content: { error: { code: 'VALIDATION_ERROR' } },
    });
    const again = await call('save_contact', { firstName: 'Ada', phone: '030' });
    expect(again.content).toEqual(refused.content);
  });

  test('waits for the first call that is still running', { repeats: 19 }, async ({ service }) => {
    const { call } = await connectAgent(service.url, service.keys.full);
    const calls = await Promise.all(
      Array.from({ length: 8 }, () =>
        call('run_action', { action: 'tasks.create', arguments: TASK }),
      ),
    );
    expect(new Set(calls.map(({ content }) => content.data.id)).size).toBe(1);
    expect(calls.filter(({ content }) => !content.repeated)).toHaveLength(1);
    expect(await service.eventNames()).toEqual(['task.created']);
  });
});

describe('a dry run', () => {
  test('says what would happen and changes nothing', async ({ service }) => {
    const { call } = await connectAgent(service.url, service.keys.full);
    const dry = await call('save_contact', { ...ADA, dryRun: true });
    expect(dry.content).toMatchObject({
      dryRun: true,
      data: { firstName: 'Ada' },
      effects: { 'contact.created': 1 },
    });
    expect(await service.eventNames()).toEqual([]);
    const { body } = await service.call('GET /api/v1/contacts');
    expect(body.data).toEqual([]);
    const real = await call('save_contact', ADA);
    expect(real.content.repeated).toBeUndefined();
    expect(await service.eventNames()).toEqual(['contact.created']);
  });

  test('is refused like the call itself', async ({ service }) => {
    const { call } = await connectAgent(service.url, service.keys.full);
    const wrong = { contactId: service.subAccountId, city: 'Berlin' };
    const dry = await call('save_contact', { ...wrong, dryRun: true });
    const real = await call('save_contact', wrong);
    expect(dry.content).toEqual(real.content);
    expect(dry.content.error).toMatchObject({ code: 'NOT_FOUND', next: expect.any(String) });
  });
});

describe('the audit trail', () => {
  test('names the agent, its key and its client', async ({ service }) => {
    const { call } = await connectAgent(service.url, service.keys.full);
    const { content } = await call('save_contact', ADA);
    const [entry] = await service.database.rows<Record<string, unknown>>(
      'select actor_kind, actor, key_prefix, client, operation from audit_entries where record_id = $1',
      [content.data.id],
    );
    const me = await service.call('GET /api/v1/me');
    expect(entry).toEqual({
      actor_kind: 'agent',
      actor: me.body.data.keyId,
      key_prefix: expect.stringMatching(/^sk_live_\w{4}$/),
      client: 'scripted agent 1.2',
      operation: 'contacts.upsert',
    });
  });
});

describe('the rate', () => {
  test('of a key refuses a tool with the wait, not with HTTP 429', async ({ service }) => {
    const { key } = await issueKey(service, { scopes: ['tasks:write'], rateWrite: '2/1m' });
    const { call } = await connectAgent(service.url, key);
    await call('save_task', { title: 'one' });
    await call('save_task', { title: 'two' });
    const refused = await call('save_task', { title: 'three' });
    expect(refused).toMatchObject({ isError: true, content: { error: { code: 'RATE_LIMITED' } } });
    expect(refused.content.error.retryAfter).toBeGreaterThan(0);
    expect(refused.text).toMatch(/Wait \d+ seconds/);
  });
});
