import { endpoints } from '#registry/endpoints.ts';
import { setUpBridge } from '../conversations/inbound/callbacks.support.ts';
import { DOCUMENT } from '../support/openapi.ts';
import { expect, test } from '../support/service.ts';

const documented = (path: string, method: string): string[] =>
  Object.keys(DOCUMENT.paths[path][method].responses);

test('opening a conversation documents both of its success statuses', async ({ service }) => {
  const contact = { firstName: 'Ada', lastName: 'L', email: 'ada@example.com' };
  const { id: contactId } = (await service.call('POST /api/v1/contacts', { body: contact })).body
    .data;
  const open = () =>
    service.call('POST /api/v1/conversations', { body: { contactId, channel: 'email' } });
  const statuses = [(await open()).status, (await open()).status];
  expect(statuses).toEqual([201, 200]);
  expect(documented('/api/v1/conversations', 'post')).toEqual(
    expect.arrayContaining(statuses.map(String)),
  );
});

test('sending a message documents 201, and 200 for a skipped message', async ({ service }) => {
  await setUpBridge(service, 'social_dm');
  const body = { firstName: 'Ada', lastName: 'L', email: 'ada@example.com' };
  const { id: contactId } = (await service.call('POST /api/v1/contacts', { body })).body.data;
  const opening = { contactId, channel: 'social_dm' };
  const { id } = (await service.call('POST /api/v1/conversations', { body: opening })).body.data;
  const send = () =>
    service.call(`POST /api/v1/conversations/${id}/messages`, {
      body: { channel: 'social_dm', bodyText: 'Hello' },
    });
  const sent = await send();
  await service.call(`PATCH /api/v1/contacts/${contactId}`, { body: { dnd: { social_dm: true } } });
  const skipped = await send();
  expect([sent.status, skipped.status, skipped.body.data.skipped]).toEqual([201, 200, true]);
  expect(documented('/api/v1/conversations/{id}/messages', 'post')).toEqual(
    expect.arrayContaining(['200', '201']),
  );
});

test('every operation documents the refusals before it is reached', () => {
  for (const [path, operations] of Object.entries<object>(DOCUMENT.paths)) {
    for (const method of Object.keys(operations)) {
      expect([path, ...documented(path, method)]).toEqual(
        expect.arrayContaining(['400', '408', '417', '431', '500', '503']),
      );
    }
  }
});

test('every operation documents exactly its declared success statuses', () => {
  for (const { method, path, status = 200, otherStatus = status } of endpoints) {
    const found = documented(path.replaceAll(/:(\w+)/g, '{$1}'), method.toLowerCase());
    const successes = found.filter((one) => one.startsWith('2'));
    expect([path, new Set(successes)]).toEqual([path, new Set([`${status}`, `${otherStatus}`])]);
  }
});

test('every writing operation says which events it fires', () => {
  const silent = Object.entries<any>(DOCUMENT.paths).flatMap(([path, operations]) =>
    Object.entries<any>(operations)
      .filter(([method, { description = '' }]) => {
        const isWrite = method !== 'get' && !description.includes('Counts as a read');
        return isWrite && !/\bfires?\b|not in the list of events/i.test(description);
      })
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
  expect(silent).toEqual([]);
});
