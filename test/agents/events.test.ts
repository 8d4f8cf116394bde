import { describe, expect, test, type TestService } from '../support/service.ts';
import { events as catalog } from '#registry/events.ts';
import { connectAgent, issueKey } from './agents.support.ts';

type Json = Record<string, any>;

/** Sends a request of the protocol; returns its result, or its error. */
const sendOver = (service: TestService, key: string) => async (method: string, params: Json) => {
  const { body } = await service.call('POST /mcp', {
    key,
    body: { jsonrpc: '2.0', id: 1, method, params },
  });
  return (body.result ?? { error: body.error }) as Json;
};

const newContact = async (service: TestService, firstName: string): Promise<string> => {
  const body = { firstName, lastName: 'Byron' };
  return (await service.call('POST /api/v1/contacts', { body })).body.data.id;
};

describe('events over MCP', () => {
  test('are an extension that the server declares', async ({ service }) => {
    const { client } = await connectAgent(service.url, service.keys.full);
    const capabilities = client.getServerCapabilities() as Json;
    expect(capabilities.extensions).toEqual({ 'io.modelcontextprotocol/events': {} });
  });

  test('are listed by the scope of their noun', async ({ service }) => {
    const all = await sendOver(service, service.keys.full)('events/list', {});
    expect(all.events.map(({ name }: Json) => name)).toEqual(catalog.map(({ name }) => name));
    expect(all.events[0]).toMatchObject({
      name: 'contact.created',
      description: expect.any(String),
      delivery: expect.arrayContaining(['poll']),
      inputSchema: { type: 'object' },
      payloadSchema: { type: 'object' },
    });
    const { key } = await issueKey(service, { scopes: ['tasks:read'] });
    const some = await sendOver(service, key)('events/list', {});
    const nouns = new Set(some.events.map(({ name }: Json) => name.split('.')[0]));
    expect([...nouns]).toEqual(['task']);
  });

  test('are polled from now on, once each, in their order', async ({ service }) => {
    const send = sendOver(service, service.keys.full);
    await newContact(service, 'Before');
    const name = 'contact.created';
    const start = await send('events/poll', { name, cursor: null });
    expect(start).toMatchObject({ events: [], truncated: false, hasMore: false });
    expect(start.nextPollMs).toBeGreaterThan(0);
    const ids = [await newContact(service, 'Ada'), await newContact(service, 'Ben')];
    await service.call('POST /api/v1/tasks', { body: { title: 'Call back' } });
    const first = await send('events/poll', { name, cursor: start.cursor, maxEvents: 1 });
    expect(first.hasMore).toBe(true);
    const second = await send('events/poll', { name, cursor: first.cursor });
    const found = [...first.events, ...second.events];
    expect(found.map(({ data }: Json) => data.contactId)).toEqual(ids);
    expect(found[0]).toEqual({
      eventId: expect.any(String),
      name,
      timestamp: expect.stringMatching(/Z$/),
      data: expect.objectContaining({ subAccountId: service.subAccountId }),
    });
    const last = await send('events/poll', { name, cursor: second.cursor });
    expect(last).toMatchObject({ events: [], hasMore: false });
  });

  test('have the cursors of the feed', async ({ service }) => {
    const feed = await service.call('GET /api/v1/events?start=latest');
    const contactId = await newContact(service, 'Ada');
    const send = sendOver(service, service.keys.full);
    const { cursor } = feed.body.meta;
    const polled = await send('events/poll', { name: 'contact.created', cursor });
    expect(polled.events).toHaveLength(1);
    const { body } = await service.call(`GET /api/v1/events?after=${cursor}`);
    expect(body.data[0].id).toBe(polled.events[0].eventId);
    expect(polled.events[0].data).toEqual(body.data[0].data);
    expect(polled.events[0].data.contactId).toBe(contactId);
  });

  test('are narrowed to a contact, and to a greatest age', async ({ service }) => {
    const send = sendOver(service, service.keys.full);
    const name = 'contact.created';
    const { cursor } = await send('events/poll', { name });
    await newContact(service, 'Ada');
    const contactId = await newContact(service, 'Ben');
    const of = await send('events/poll', { name, arguments: { contactId }, cursor });
    expect(of.events.map(({ data }: Json) => data.contactId)).toEqual([contactId]);
    service.clock.advance(60_000);
    const late = await send('events/poll', { name, cursor, maxAgeMs: 30_000 });
    expect(late).toMatchObject({ events: [], truncated: true, hasMore: false });
  });

  test.for([
    ['an unknown name', { name: 'contact.exploded' }, -32_011, 'NOT_FOUND'],
    ['a name outside the scopes', { name: 'task.created' }, -32_012, 'FORBIDDEN'],
    ['a broken cursor', { name: 'contact.created', cursor: 'x' }, -32_602, 'VALIDATION_ERROR'],
    [
      'an unknown argument',
      { name: 'contact.created', arguments: { a: 1 } },
      -32_602,
      'VALIDATION_ERROR',
    ],
    ['no name', {}, -32_602, 'VALIDATION_ERROR'],
  ] as const)('refuse %s', async ([, params, code, own], { service }) => {
    const { key } = await issueKey(service, { scopes: ['contacts:read'] });
    const { error } = await sendOver(service, key)('events/poll', params);
    expect(error).toMatchObject({ code, data: { code: own } });
  });

  test('stay within the rate of the key and its policy', async ({ service }) => {
    const { key } = await issueKey(service, { scopes: ['contacts:read'], rateRead: '1/1m' });
    const send = sendOver(service, key);
    expect((await send('events/poll', { name: 'contact.created' })).cursor).toBeDefined();
    const { error } = await send('events/poll', { name: 'contact.created' });
    expect(error).toMatchObject({
      code: -32_013,
      data: { limit: 'rate', retryAfter: expect.any(Number) },
    });
    const { key: closed } = await issueKey(service, {
      scopes: ['contacts:read'],
      agentPolicy: { read: 'deny' },
    });
    const refused = await sendOver(service, closed)('events/poll', { name: 'contact.created' });
    expect(refused.error.code).toBe(-32_012);
    expect((await sendOver(service, closed)('events/list', {})).events).toEqual([]);
  });

  test('of another sub-account are not seen', async ({ service }) => {
    const other = sendOver(service, service.keys.other);
    const { cursor } = await other('events/poll', { name: 'contact.created' });
    await newContact(service, 'Ada');
    const polled = await other('events/poll', { name: 'contact.created', cursor });
    expect(polled.events).toEqual([]);
    const mine = await sendOver(service, service.keys.full)('events/poll', {
      name: 'contact.created',
    });
    const foreign = await other('events/poll', { name: 'contact.created', cursor: mine.cursor });
    expect(foreign.error.code).toBe(-32_602);
  });
});
