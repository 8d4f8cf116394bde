import type { Endpoint } from '#core/endpoint/endpoint.ts';
import { AGENCY, newId } from '#lib/id.ts';
import { SCOPES } from '#core/scope.ts';
import { endpoints } from '#registry/endpoints.ts';
import { createKey } from '../src/accounts/keys/create-key.ts';
import { createSubAccount } from '../src/accounts/sub-accounts/create-sub-account.ts';
import { deleteSubAccount } from '../src/accounts/sub-accounts/delete-sub-account.ts';
import { bodyFor, hasId, lineOf, nounAt, successfulRequest, traces } from './support/samples.ts';
import {
  describe,
  expect,
  OPERATOR,
  test,
  type Answer,
  type TestService,
} from './support/service.ts';

/** Keyed endpoints; signed and public ones have files of their own. */
const EVERY = endpoints
  .filter((endpoint) => endpoint.kind === 'keyed')
  .map((endpoint) => [endpoint.id, endpoint] as const);
const KEYED = EVERY.filter(([, { access }]) => access.kind === 'key');
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

function expectRefusal({ status, headers, body }: Answer, wanted: number, code: string): void {
  expect({ status, code: body.error.code }).toEqual({ status: wanted, code });
  expect(headers.get('x-api-version')).toBe('v1');
  expect(headers.get('x-request-id')).toMatch(UUID);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
}

function expectRateHeaders({ headers }: Answer): void {
  expect(Number(headers.get('x-ratelimit-limit'))).toBeGreaterThan(0);
  expect(Number(headers.get('x-ratelimit-remaining'))).toBeGreaterThanOrEqual(0);
  expect(Number(headers.get('x-ratelimit-reset'))).toBeGreaterThan(1_000_000_000);
}

const issueKey = async ({ transact }: TestService, owner: string, scopes = SCOPES) =>
  (await transact(owner, OPERATOR, (work) => createKey(work, { name: 'k', scopes }))).key;

describe.for(EVERY)('%s', ([, endpoint]) => {
  test('answers success with every header and the API version', async ({ service }) => {
    const { line, options } = await successfulRequest(endpoint, service);
    const answer = await service.call(line, options);
    expect(answer.status).toBe(endpoint.status ?? 200);
    expect(answer.headers.get('x-api-version')).toBe('v1');
    expect(answer.headers.get('x-request-id')).toMatch(UUID);
    expectRateHeaders(answer);
  });

  test('answers 401 to a key that is missing, malformed, mistyped or unknown', async ({
    service,
  }) => {
    const { line, options } = await successfulRequest(endpoint, service);
    const before = await traces(service);
    const { full } = service.keys;
    const mistyped = full.slice(0, -1) + (full.endsWith('0') ? '1' : '0');
    for (const headers of [
      {},
      { authorization: '' },
      { authorization: 'Bearer' },
      { authorization: full },
      { authorization: `Basic ${full}` },
      { authorization: 'Bearer nonsense' },
      { authorization: 'Bearer sk_live_' },
      { authorization: `Bearer ${full} ${full}` },
      { authorization: `Bearer ${mistyped}` },
      { authorization: `Bearer ${'k'.repeat(5_000)}` },
      { authorization: `Bearer ${UNKNOWN_KEY}` },
    ]) {
      const answer = await service.call(line, { ...options, key: null, headers });
      expectRefusal(answer, 401, 'UNAUTHORIZED');
      expect(answer.headers.get('x-ratelimit-limit')).toBeNull();
    }
    expect(await traces(service)).toBe(before);
  });

  test('answers 403 to a key with all other scopes, before any other check', async ({
    service,
  }) => {
    const { access } = endpoint;
    if (access.kind === 'any') {
      return;
    }
    const others = SCOPES.filter((name) => access.kind === 'key' && name !== access.scope);
    const key =
      access.kind === 'key'
        ? await issueKey(service, service.subAccountId, others)
        : service.keys.full;
    const answer = await service.call(`${lineOf(endpoint, 'no-uuid')}?unknown=1`, {
      key,
      ...(endpoint.method !== 'GET' && { raw: 'not json' }),
    });
    expectRefusal(answer, 403, 'FORBIDDEN');
    expect(answer.body.error.message).toContain(access.kind === 'key' ? access.scope : 'agency');
    expectRateHeaders(answer);
  });
});

/** A well-formed key that was never issued: the class, 40 characters and their checksum. */
const UNKNOWN_KEY = `sk_live_${'0'.repeat(40)}2DxdpW`;

describe.for(KEYED)('%s with an agency key', ([, endpoint]) => {
  test('requires a sub-account', async ({ service }) => {
    const { line, options } = await successfulRequest(endpoint, service);
    const answer = await service.call(line, { ...options, key: 'agency' });
    expectRefusal(answer, 400, 'VALIDATION_ERROR');
    expect(answer.body.error.message).toContain('X-Sub-Account-Id');
    expect(answer.body.error.details.issues).toMatchObject([{ in: 'header' }]);
    expectRateHeaders(answer);
  });

  test('acts for the sub-account in the header, in any case', async ({ service }) => {
    const { line, options } = await successfulRequest(endpoint, service);
    const headers = { 'x-sub-account-id': service.subAccountId.toUpperCase() };
    const answer = await service.call(line, { ...options, key: 'agency', headers });
    expect(answer.status).toBe(endpoint.status ?? 200);
  });

  test('answers the same 404 to foreign, deleted, sandbox, unknown and malformed ones', async ({
    service,
  }) => {
    const { line, options } = await successfulRequest(endpoint, service);
    const [sandbox, deleted] = [newId(new Date()), newId(new Date())];
    await service.transact(sandbox, OPERATOR, (work) =>
      createSubAccount(work, { name: 'Sandbox', sandbox: true }),
    );
    await service.transact(deleted, OPERATOR, (work) => createSubAccount(work, { name: 'Gone' }));
    await service.transact(deleted, OPERATOR, deleteSubAccount);
    const before = await traces(service);
    const bodies = new Set<string>();
    for (const id of [sandbox, deleted, AGENCY, crypto.randomUUID(), 'no-uuid', "'; --"]) {
      const headers = { 'x-sub-account-id': id };
      const answer = await service.call(line, { ...options, key: 'agency', headers });
      expectRefusal(answer, 404, 'NOT_FOUND');
      expectRateHeaders(answer);
      bodies.add(JSON.stringify(answer.body));
    }
    expect(bodies.size).toBe(1);
    expect(await traces(service)).toBe(before);
  });
});

describe.for(EVERY.filter(([, endpoint]) => hasId(endpoint)))('%s by id', ([, endpoint]) => {
  const refusedIds = async (service: TestService) => {
    const noun = nounAt(endpoint);
    const deleted = await noun.make(service);
    await noun.remove(service, deleted);
    return {
      deleted,
      foreign: await noun.make(service, 'other'),
      unknown: crypto.randomUUID(),
      nul: '%00',
      traversal: '..%2f..%2fetc%2fpasswd',
      'broken encoding': '%zz',
      'half a character': '%c3',
      quote: "'%20or%20'1'='1",
      number: '1',
      braced: `%7B${crypto.randomUUID()}%7D`,
      long: 'a'.repeat(5_000),
    };
  };

  test('answers the same 404 to a foreign, deleted, unknown and malformed id', async ({
    service,
  }) => {
    const body = await bodyFor(endpoint, service);
    const ids = Object.entries(await refusedIds(service));
    const before = await traces(service);
    for (const [, id] of ids) {
      const answer = await service.call(lineOf(endpoint, id), {
        ...(body !== undefined && { body }),
      });
      expectRefusal(answer, 404, 'NOT_FOUND');
      expectRateHeaders(answer);
    }
    expect(await traces(service)).toBe(before);
  });

  test('reports an unknown id before errors in query or body', async ({ service }) => {
    for (const id of [crypto.randomUUID(), 'malformed']) {
      const ways = [{ line: `${lineOf(endpoint, id)}?unknown=1`, options: {} }];
      if (endpoint.method !== 'GET') {
        ways.push({ line: lineOf(endpoint, id), options: { raw: '{"unknown":1}' } });
        ways.push({ line: lineOf(endpoint, id), options: { raw: 'not json' } });
        ways.push({ line: lineOf(endpoint, id), options: { raw: 'x'.repeat(2 ** 20 + 1) } });
      }
      for (const { line, options } of ways) {
        expectRefusal(await service.call(line, options), 404, 'NOT_FOUND');
      }
    }
  });

  test('accepts an id in capital letters', async ({ service }) => {
    const { id, options } = await successfulRequest(endpoint, service);
    const answer = await service.call(lineOf(endpoint, id.toUpperCase()), options);
    expect(answer.status).toBe(endpoint.status ?? 200);
    if (answersItsRecord(endpoint)) {
      expect(answer.body.data.id).toBe(id);
    }
  });
});

/** Without endpoints that return parts of the record: its secret, its log, its messages. */
const answersItsRecord = ({ id }: Endpoint): boolean =>
  id !== 'files.get' &&
  !/^(?:webhooks\.(?:regenerate-secret|test|deliveries|retry)|conversations\.(?:messages|send))$/.test(
    id,
  );

test('every endpoint was tested', () => {
  expect(EVERY.length).toBeGreaterThanOrEqual(9);
  const lines = endpoints.map((endpoint: Endpoint) => lineOf(endpoint, ':id'));
  expect(new Set(lines).size).toBe(lines.length);
});
