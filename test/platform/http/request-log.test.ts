import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Fault } from '#core/fault.ts';
import { isRequestLine, requestText } from '#platform/config/logger.ts';
import { logRequest, logsOf, respond } from '#platform/http/funnel.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { openServer } from '../../support/server.ts';

/** A well-formed key with a wrong checksum. */
const UNKNOWN_KEY = `sk_live_${'Ab1d'.repeat(11)}xy`;

let database: TestDatabase;
let server: Awaited<ReturnType<typeof openServer>>;
const lines: Record<string, unknown>[] = [];
beforeAll(async () => {
  database = await createDatabase();
  const log = pino(
    { level: 'debug', base: null },
    { write: (text: string) => void lines.push(JSON.parse(text)) },
  );
  server = await openServer({ databaseUrl: database.url, log, trustedProxies: ['127.0.0.0/8'] });
});
beforeEach(() => void lines.splice(0));
afterAll(async () => {
  await server.stop();
  await database.drop();
});

const requestLines = () => lines.filter(isRequestLine);
const send = async (path: string, init: RequestInit = {}) =>
  (await fetch(`${server.url}${path}`, init)).headers.get('x-request-id');

describe('the log line of a request', () => {
  test('has the code and the issues of a refusal, and the address behind the proxy', async () => {
    const requestId = await send('/api/chat/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.9' },
      body: '{"visitorEmail": 5, "unknown": 1}',
    });
    const [line] = requestLines();
    expect(requestLines()).toHaveLength(1);
    expect(line).toMatchObject({
      level: 30,
      requestId,
      method: 'POST',
      route: '/api/chat/session',
      status: 400,
      code: 'VALIDATION_ERROR',
      reason: expect.stringMatching(/^body\/\w+ .*; body\/\w+ /),
      address: '203.0.113.9',
    });
  });

  test('has five issues of many, and counts the others', async () => {
    const contact = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`x${index}`, 1]));
    await send('/api/chat/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(contact),
    });
    const reason = String(requestLines()[0]?.['reason']);
    expect(reason.match(/body\//g)).toHaveLength(5);
    expect(reason).toMatch(/ \(and \d+ more\)$/);
  });

  test('has the path of an unknown route, without its query and private parts', async () => {
    const token = 'Ab1d'.repeat(11);
    await send(`/api/v1/contatcs/ada@example.com?email=ada@example.com`);
    await send(`/unsubscribe/${token}/now`);
    await send(`/${'long-part/'.repeat(50)}`);
    await send('/api/v1/contacts/');
    const paths = requestLines().map(({ path }) => path);
    expect(paths.slice(0, 2)).toEqual(['/api/v1/contatcs/…', '/unsubscribe/…/now']);
    expect(String(paths[2])).toHaveLength(200);
    expect(paths[3]).toBe('/api/v1/contacts/');
    expect(requestLines()[0]?.route).toBe('(unknown)');
    expect(requestText({ time: 0, ...requestLines()[0] } as never)).toContain(
      ' GET /api/v1/contatcs/… 404 ',
    );
  });

  test('names no sub-account for a page of the installation', async () => {
    await send('/docs');
    expect(requestLines()).toMatchObject([{ method: 'GET', route: '/docs' }]);
    expect(requestLines()[0]).not.toHaveProperty('subAccountId');
  });

  test('has the reason of a refusal that is replayed', async () => {
    const log = pino(
      { level: 'debug', base: null },
      { write: (text: string) => void lines.push(JSON.parse(text)) },
    );
    const text = JSON.stringify({ error: { code: 'NOT_FOUND', message: 'contact not found' } });
    const response = await respond(logsOf(log), { method: 'POST', route: '/x' }, () => ({
      status: 404,
      text,
      replayed: true,
    }));
    expect(lines).toMatchObject([{ status: 404, code: 'NOT_FOUND', reason: 'contact not found' }]);
    expect(response.headers.get('link')).toBe('</docs/errors#not_found>; rel="help"');
  });

  test('has the prefix of an unknown key, and never more of it', async () => {
    await send('/api/v1/contacts', { headers: { authorization: `Bearer ${UNKNOWN_KEY}` } });
    expect(requestLines()).toMatchObject([
      { status: 401, code: 'UNAUTHORIZED', keyPrefix: 'sk_live_Ab1d', address: '127.0.0.1' },
    ]);
    expect(JSON.stringify(lines)).not.toContain(UNKNOWN_KEY.slice(0, 13));
  });

  test('is at level debug for probes and polls, unless they are refused', () => {
    const log = pino(
      { level: 'debug', base: null },
      { write: (text: string) => void lines.push(JSON.parse(text)) },
    );
    const line = { requestId: 'r', method: 'GET', status: 200, ms: 1 };
    const refusal = new Fault('SERVICE_UNAVAILABLE', 'the database cannot be reached');
    for (const route of ['/healthz', '/readyz', '/metrics', '/api/v1/events']) {
      logRequest(log, { ...line, route }, undefined);
      logRequest(log, { ...line, route, status: 503 }, refusal);
    }
    expect(lines.map(({ level }) => level)).toEqual([20, 30, 20, 30, 20, 30, 20, 30]);
    expect(lines[1]).toMatchObject({ reason: 'the database cannot be reached' });
  });
});

test('on a terminal it is text without control characters', () => {
  const time = new Date(2026, 10, 22, 14, 14, 19).getTime();
  const entry = {
    msg: 'request',
    time,
    requestId: '671ec3ba',
    method: 'POST',
    route: '/api/v1/contacts',
    status: 400,
    ms: 5.2,
    code: 'VALIDATION_ERROR',
    reason: 'body/name is\u001B[2J required',
    keyPrefix: 'sk_live_abcd',
    address: '127.0.0.1',
  };
  expect(requestText(entry)).toBe(
    '14:14:19 POST /api/v1/contacts 400 5 ms VALIDATION_ERROR: body/name is [2J required ' +
      'key sk_live_abcd… from 127.0.0.1 request 671ec3ba',
  );
  const [code, reason] = ['empty_audience', 'empty_audience: the list has no contact'];
  expect(requestText({ ...entry, code, reason })).toContain(' 5 ms empty_audience: the list has');
});
