import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { endpoints } from '#registry/endpoints.ts';
import { callersOf, signedRequest } from '../../conversations/inbound/signed-calls.support.ts';
import { pathOf, setUpBridge } from '../../conversations/inbound/callbacks.support.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';
import { head, openWire } from '../../support/wire.ts';

const MIB = 2 ** 20;
const MAIL_BYTES = 25 * MIB;
/** By then the server has read what was sent. */
const ARRIVAL_MS = 500;
/** A well-formed signature of nothing. */
const FAKE = `sha256=${'0'.repeat(64)}`;

const SIGNED = endpoints
  .filter(({ kind, method }) => kind === 'signed' && method === 'POST')
  .flatMap((endpoint) =>
    callersOf(endpoint).map((caller) => [`${endpoint.id} by ${caller}`, endpoint, caller] as const),
  );

describe.for(SIGNED)('%s', ([, endpoint, caller]) => {
  test.for([
    ['no signature', () => ({})],
    [
      'a malformed signature',
      (headers: object) => Object.fromEntries(Object.keys(headers).map((name) => [name, 'x'])),
    ],
  ] as const)('with %s is refused before its body is read', async ([, change], { service }) => {
    const { line, options } = await signedRequest(endpoint, service, caller);
    const signature = Object.fromEntries(
      Object.entries(options.headers ?? {}).filter(([name]) => /signature/.test(name)),
    );
    const wire = await openWire(service.url);
    // The body never arrives: only a refusal that does not wait for it is a response.
    wire.send(head(line, { 'content-length': 100, ...change(signature) }));
    const { status, text } = await wire.answer();
    expect([status, JSON.parse(text).error.code]).toEqual([401, 'UNAUTHORIZED']);
    wire.hangUp();
  });
});

interface Upload {
  /** Resolves once everything but the last byte has left this process. */
  readonly sent: Promise<void>;
  /** The status of the response. */
  readonly status: Promise<number>;
  finish(): void;
  hangUp(): void;
}

/** Sends a mail, all but its last byte. */
function upload(
  service: TestService,
  size = MAIL_BYTES,
  kind: 'inbound' | 'status' = 'inbound',
): Upload {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  const status = Promise.withResolvers<number>();
  socket.once('data', (bytes: Buffer) => status.resolve(Number(bytes.toString().split(' ')[1])));
  socket.on('error', () => undefined);
  const headers = { 'content-type': 'message/rfc822', 'x-signature': FAKE };
  const line = `POST ${pathOf(service, 'email', kind)}`;
  socket.write(head(line, { ...headers, 'content-length': size }));
  const sent = new Promise<void>((resolve) => {
    socket.write(Buffer.alloc(size - 1), () => resolve());
  });
  return {
    sent,
    status: status.promise,
    finish: () => void socket.write('x'),
    hangUp: () => socket.destroy(),
  };
}

describe('bodies that are not verified', () => {
  test('share a budget that holds two mails; beyond it calls get 503', async ({ service }) => {
    await setUpBridge(service, 'email', { provider: 'smtp' });
    const uploads = Array.from({ length: 8 }, () => upload(service));
    // Only refusals are sent before the last byte.
    const refused = new Set<Upload>();
    while (refused.size < 6) {
      const waiting = uploads.filter((one) => !refused.has(one));
      const answered = waiting.map(async (one) => ({ one, status: await one.status }));
      const { one, status } = await Promise.race(answered);
      expect(status).toBe(503);
      refused.add(one);
    }
    const others = uploads.filter((one) => !refused.has(one));
    others.forEach((one) => one.finish());
    expect(await Promise.all(others.map(({ status }) => status))).toEqual(others.map(() => 401));
    uploads.forEach((one) => one.hangUp());
  });

  test('free their share when their senders disconnect', async ({ service }) => {
    await setUpBridge(service, 'email', { provider: 'smtp' });
    const uploads = Array.from({ length: 6 }, () => upload(service));
    expect(await Promise.race(uploads.map(({ status }) => status))).toBe(503);
    uploads.forEach((one) => one.hangUp());
    const next = async () => {
      const one = upload(service, 8 * MIB);
      one.finish();
      return one.status.finally(one.hangUp);
    };
    await expect.poll(next, { timeout: 20_000 }).toBe(401);
  });

  test('that never end do not lock small calls out', async ({ service }) => {
    await setUpBridge(service, 'email', { provider: 'smtp' });
    const mails = Array.from({ length: 5 }, () => upload(service));
    await Promise.all(mails.map(({ sent }) => sent));
    // With these, the budget is used up to the last byte.
    const others = Array.from({ length: 3 }, () => upload(service, MIB, 'status'));
    await Promise.all(others.map(({ sent }) => sent));
    await delay(ARRIVAL_MS);
    const small = upload(service, 10, 'status');
    small.finish();
    expect(await small.status).toBe(401);
    [...mails, ...others, small].forEach((one) => one.hangUp());
  });

  test('that arrive byte by byte use little more memory than their size', async ({ service }) => {
    const { subAccountId } = service;
    const body = JSON.stringify({ subAccountId, visitorName: 'Ada' });
    const wire = await openWire(service.url);
    wire.send(
      head('POST /api/chat/session', {
        'content-type': 'application/json',
        'transfer-encoding': 'chunked',
      }),
    );
    const chunks = Array.from(' '.repeat(20_000) + body);
    wire.send(`${chunks.map((byte) => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`);
    // 404 without a chat: the body was collected and parsed.
    expect((await wire.answer()).status).toBe(404);
    wire.hangUp();
  });
});
