import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { defineKeyedEndpoint, scope } from '#core/endpoint/keyed-endpoint.ts';
import { definePageEndpoint } from '#core/endpoint/page-endpoint.ts';
import { definePublicEndpoint } from '#core/endpoint/public-endpoint.ts';
import { defineSignedEndpoint } from '#core/endpoint/signed-endpoint.ts';
import { defineStreamEndpoint } from '#core/endpoint/stream-endpoint.ts';
import { request } from '#core/schema/schema.ts';

const route = { id: 'test.route', path: '/api/test', summary: 'A test' };
const data = Type.Null();
const reply = () => Promise.resolve({ data: null });
const owner = () => Promise.resolve('');
const access = scope('contacts:read');

/** Each declaration below would be a route that cannot be served: `tsc` must reject it. */
describe('the compiler rejects', () => {
  test('a keyed endpoint that neither reads nor writes, or does both', () => {
    const keyed = { ...route, access, data } as const;
    // @ts-expect-error neither read nor write
    defineKeyedEndpoint({ ...keyed, method: 'GET', rate: 'read' });
    // @ts-expect-error both
    defineKeyedEndpoint({ ...keyed, method: 'POST', rate: 'write', read: reply, write: reply });
    expect(
      defineKeyedEndpoint({ ...keyed, method: 'GET', rate: 'read', read: reply }),
    ).toMatchObject({ kind: 'keyed', method: 'GET' });
  });

  test('a keyed endpoint without access or rate, or with those of another kind', () => {
    const read = { ...route, data, method: 'GET', read: reply } as const;
    // @ts-expect-error no access
    defineKeyedEndpoint({ ...read, rate: 'read' });
    // @ts-expect-error no rate
    defineKeyedEndpoint({ ...read, access });
    // @ts-expect-error a read that counts as a write
    defineKeyedEndpoint({ ...read, access, rate: 'write' });
    // @ts-expect-error a limit is for visitors
    defineKeyedEndpoint({ ...read, access, rate: 'read', limit: 'form' });
    // @ts-expect-error a read has no transaction to prepare
    defineKeyedEndpoint({ ...read, access, rate: 'read', prepare: () => Promise.resolve() });
    expect(defineKeyedEndpoint({ ...read, access, rate: 'read' }).rate).toBe('read');
  });

  test('a GET that writes', () => {
    // @ts-expect-error a write needs another method
    defineKeyedEndpoint({ ...route, data, access, method: 'GET', rate: 'write', write: reply });
    // @ts-expect-error so does one of a visitor
    definePublicEndpoint({ ...route, data, owner, method: 'GET', write: reply });
    // @ts-expect-error and a page
    definePageEndpoint({ ...route, method: 'GET', write: reply });
    expect(
      definePublicEndpoint({ ...route, data, owner, method: 'POST', limit: 'form', write: reply })
        .write,
    ).toBe(reply);
  });

  test('a paged write', () => {
    const write = { ...route, data, access, method: 'POST', rate: 'write', write: reply } as const;
    // @ts-expect-error only reads have pages
    defineKeyedEndpoint({ ...write, paged: true });
    expect(defineKeyedEndpoint(write).write).toBe(reply);
  });

  test('a public endpoint without an owner, or with a key', () => {
    const read = { ...route, data, method: 'GET', read: reply } as const;
    // @ts-expect-error no owner
    definePublicEndpoint(read);
    // @ts-expect-error visitors have no key
    definePublicEndpoint({ ...read, owner, access });
    // @ts-expect-error a read is repeatable by itself
    definePublicEndpoint({ ...read, owner, idempotencyOwner: () => '' });
    expect(definePublicEndpoint({ ...read, owner }).kind).toBe('public');
  });

  test('a signed endpoint that does not verify, or does not receive', () => {
    const signed = { ...route, data, method: 'POST' } as const;
    const verify = () => Promise.resolve({ by: 'test', payload: undefined });
    // @ts-expect-error does not verify
    defineSignedEndpoint({ ...signed, receive: reply });
    // @ts-expect-error does not receive
    defineSignedEndpoint({ ...signed, verify });
    // @ts-expect-error writes without a payload
    defineSignedEndpoint({ ...signed, verify, receive: reply, write: reply });
    expect(defineSignedEndpoint({ ...signed, verify, receive: reply }).kind).toBe('signed');
  });

  test('a page with data, or a page without a form that shows a refused form', () => {
    const page = { ...route, method: 'GET', read: reply } as const;
    // @ts-expect-error a page returns documents
    definePageEndpoint({ ...page, data: Type.String() });
    // @ts-expect-error nothing was submitted
    definePageEndpoint({ ...page, refused: reply });
    expect(definePageEndpoint(page)).toMatchObject({ kind: 'page', data: { type: 'null' } });
  });

  test('a stream that reads, or that has no owner', () => {
    const stream = () => (async function* () {})();
    // @ts-expect-error no owner
    defineStreamEndpoint({ ...route, stream });
    // @ts-expect-error reads
    defineStreamEndpoint({ ...route, owner, stream, read: reply });
    expect(defineStreamEndpoint({ ...route, owner, stream }).method).toBe('GET');
  });

  test('a handler that uses what the schemas do not declare', () => {
    const read = { ...route, data, access, method: 'GET', rate: 'read' } as const;
    defineKeyedEndpoint({
      ...read,
      query: request({ name: Type.String() }),
      // @ts-expect-error the query has no such member
      read: ({ query }) => Promise.resolve({ data: query.other }),
    });
    // @ts-expect-error a handler without a body schema gets no body
    defineKeyedEndpoint({ ...read, read: ({ body }) => Promise.resolve({ data: body.name }) });
    expect(defineKeyedEndpoint({ ...read, read: reply }).read).toBe(reply);
  });
});
