import { createSecretKey } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Fault } from '#core/fault.ts';
import { openCursor, sealCursor, type List } from '#lib/cursor.ts';
import type { View } from '#core/work.ts';
import { openPage } from '#platform/http/call/keyed.ts';
import { endpoints } from '#registry/endpoints.ts';
import { INLINED } from '../support/openapi.ts';
import { webhookEventNames } from '#registry/events.ts';

const SECRET = createSecretKey(Buffer.alloc(32, 7));
const NOW = new Date('2026-01-31T09:00:00Z');
const YEARS_LATER = new Date('2036-01-31T09:00:00Z');

describe('a cursor of a feed', () => {
  const FEED: List = { endpoint: 'events.list', subAccountId: 'a', filters: {}, isFeed: true };
  const issueOf = (list: List, cursor: string) => {
    try {
      return openCursor(SECRET, list, cursor, NOW);
    } catch (error) {
      return (error as Fault).details;
    }
  };

  test('never expires, unlike one of a list', () => {
    const cursor = sealCursor(SECRET, FEED, '42', NOW);
    expect(openCursor(SECRET, FEED, cursor, YEARS_LATER)).toBe('42');
    const { isFeed: _, ...list } = FEED;
    expect(() => openCursor(SECRET, list, cursor, YEARS_LATER)).toThrow('has expired');
  });

  test('is refused with the name of its parameter, after', () => {
    const cursor = sealCursor(SECRET, FEED, '42', NOW);
    for (const wrong of [`${cursor}x`, '', 'x', cursor.toUpperCase()]) {
      expect(issueOf(FEED, wrong)).toMatchObject({ issues: [{ in: 'query', path: '/after' }] });
    }
    expect(issueOf({ ...FEED, subAccountId: 'b' }, cursor)).toMatchObject({
      issues: [{ path: '/after' }],
    });
  });
});

describe('a page', () => {
  const keyed = endpoints.filter((endpoint) => endpoint.kind === 'keyed');
  const feed = keyed.find(({ id }) => id === 'events.list')!;
  const list = keyed.find(({ id }) => id === 'webhooks.deliveries')!;
  const view = { subAccountId: 'a', now: NOW } as View;
  const open = (endpoint: typeof feed, query: object, id = 'x') =>
    openPage(SECRET, endpoint, view, { params: { id }, query });

  test('of a feed always has a cursor, also at its end', () => {
    const { meta } = open(feed, {}).sealed({ data: [], next: '7', more: false });
    expect(meta).toEqual({ hasMore: false, cursor: expect.any(String) });
    const { cursor: after } = meta as { cursor: string };
    expect(open(feed, { after, limit: 3 }).after).toBe('7');
  });

  test('of a list has one if another page follows', () => {
    expect(open(list, {}).sealed({ data: [], next: null }).meta).toEqual({
      hasMore: false,
      cursor: null,
    });
    const { meta } = open(list, {}).sealed({ data: [], next: '7' });
    const { cursor } = meta as { cursor: string };
    expect(meta).toMatchObject({ hasMore: true });
    expect(open(list, { cursor, limit: 3 }).after).toBe('7');
    expect(() => open(list, { cursor }, 'y')).toThrow('does not belong');
    expect(() => open(list, { cursor, status: 'failed' })).toThrow('does not belong');
  });
});

describe('the OpenAPI document', () => {
  const { paths } = INLINED;
  const metaOf = (path: string) =>
    paths[path].get.responses[200].content['application/json'].schema.properties.meta;
  const bodyOf = (path: string, method: string) => paths[path][method].requestBody;

  test('declares that the cursor of the feed is never null, unlike that of a list', () => {
    const { properties, required } = metaOf('/api/v1/events');
    expect(properties).toEqual({ hasMore: { type: 'boolean' }, cursor: { type: 'string' } });
    expect(required).toEqual(['hasMore', 'cursor']);
    expect(metaOf('/api/v1/webhooks').properties.cursor).toEqual({ type: ['string', 'null'] });
    expect(Object.keys(metaOf('/api/v1/webhooks/{id}/deliveries').properties)).toEqual([
      'hasMore',
      'cursor',
    ]);
  });

  test('names the parameters of the feed', () => {
    const { parameters } = paths['/api/v1/events'].get;
    const inQuery = parameters.filter((one: { in: string }) => one.in === 'query');
    expect(inQuery.map(({ name }: { name: string }) => name)).toEqual(['limit', 'after', 'start']);
    expect(inQuery[2].schema).toMatchObject({ enum: ['oldest', 'latest'], default: 'oldest' });
  });

  test('requires every body except that of regenerating a secret', () => {
    expect(bodyOf('/api/v1/webhooks/{id}/regenerate-secret', 'post').required).toBe(false);
    expect(bodyOf('/api/v1/webhooks', 'post').required).toBe(true);
    expect(bodyOf('/api/v1/webhooks/{id}', 'patch').required).toBe(true);
    expect(bodyOf('/api/v1/webhooks/{id}/test', 'post')).toBeUndefined();
  });

  test('lists the events of subscriptions', () => {
    const { schema } = bodyOf('/api/v1/webhooks', 'post').content['application/json'];
    expect(schema.properties.events.items.enum).toEqual([...webhookEventNames, '*']);
    expect(schema.required).toEqual(['url', 'events']);
  });
});
