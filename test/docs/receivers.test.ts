import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  build,
  FOLDER,
  isHere,
  LANGUAGES,
  start,
  type Delivery,
  type Receiver,
} from './receivers.support.ts';

const MINUTE_MS = 60_000;
const ID = 'webhook-id';
const TIMESTAMP = 'webhook-timestamp';
const SIGNATURE = 'webhook-signature';
const SECRET = 'whsec_q7ZyricH5tQ2q7ZyricH5tQ2q7ZyricH5tQ2q7Zy';
const OLD_SECRET = 'whsec_b2xkb2xkb2xkb2xkb2xkb2xkb2xkb2xkb2xkb2xk';
const EVENT_ID = '0192f7c4-5b1e-7c3a-9d42-6f0a1b2c3d4e';

const hmac = (secret: string, text: string): string =>
  createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(text, 'utf8')
    .digest('base64');

const own = (text: string): string =>
  `sha256=${createHmac('sha256', SECRET).update(text, 'utf8').digest('hex')}`;

/** Signed as Standard Webhooks and spec.md "Delivery headers" say, without code of the product. */
const signed = (body: string, { at = Date.now(), secret = SECRET } = {}): Delivery => {
  const seconds = Math.floor(at / 1_000);
  return {
    body,
    headers: {
      [ID]: EVENT_ID,
      [TIMESTAMP]: String(seconds),
      [SIGNATURE]: `v1,${hmac(secret, `${EVENT_ID}.${seconds}.${body}`)}`,
      'X-Webhook-Signature': own(body),
      'X-Webhook-Signature-V2': own(`${at}.${body}`),
      'X-Webhook-Timestamp': String(at),
      'X-Webhook-Event': 'contact.created',
      'X-Webhook-Event-Id': EVENT_ID,
    },
  };
};

const bodyOf = (data: object): string =>
  JSON.stringify({ event: 'contact.created', timestamp: '2026-12-01T09:00:00.000Z', data });

const BODY = bodyOf({ firstName: 'Ada' });

/** A valid delivery with changes; undefined headers are omitted. */
function altered(changes: Readonly<Record<string, string | undefined>>, body = BODY): Delivery {
  const headers = Object.entries({ ...signed(BODY).headers, ...changes }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return { body, headers: Object.fromEntries(headers) };
}

const genuine = (): string => signed(BODY).headers[SIGNATURE] ?? '';

const REFUSED: readonly (readonly [string, () => Delivery])[] = [
  ['another secret', () => signed(BODY, { secret: 'whsec_b3RoZXI=' })],
  ['an empty secret', () => signed(BODY, { secret: 'whsec_' })],
  ['a changed body', () => altered({}, BODY.replace('Ada', 'Eve'))],
  ['a body with a byte more', () => altered({}, `${BODY}\n`)],
  ['no body', () => altered({}, '')],
  ['no signature', () => altered({ [SIGNATURE]: undefined })],
  ['no timestamp', () => altered({ [TIMESTAMP]: undefined })],
  ['no id', () => altered({ [ID]: undefined })],
  ['no header at all', () => ({ body: BODY, headers: {} })],
  ['another timestamp', () => altered({ [TIMESTAMP]: String(Math.floor(Date.now() / 1_000) + 9) })],
  ['a timestamp that is no number', () => altered({ [TIMESTAMP]: 'now' })],
  ['another id that is signed', () => altered({ [ID]: 'another' })],
  ['another id that is not signed', () => altered({ 'X-Webhook-Event-Id': 'another' })],
  ['another id in both', () => altered({ [ID]: 'another', 'X-Webhook-Event-Id': 'another' })],
  ['our own signature', () => altered({ [SIGNATURE]: own(BODY) })],
  ['an empty signature', () => altered({ [SIGNATURE]: '' })],
  ['a signature without v1', () => altered({ [SIGNATURE]: genuine().slice(3) })],
  ['a shortened signature', () => altered({ [SIGNATURE]: genuine().slice(0, -1) })],
  ['a signature beyond ASCII', () => altered({ [SIGNATURE]: 'v1,é' })],
  ['a timestamp older than 5 minutes', () => signed(BODY, { at: Date.now() - 5.1 * MINUTE_MS })],
  ['a timestamp too far ahead', () => signed(BODY, { at: Date.now() + 5.2 * MINUTE_MS })],
  ['a timestamp in milliseconds', () => signed(BODY, { at: Date.now() * 1_000 })],
];

const HERE = LANGUAGES.filter(isHere);

test.for(LANGUAGES)('docs/webhooks.md contains $file unchanged', async ({ file }) => {
  const page = await readFile('docs/webhooks.md', 'utf8');
  expect(page).toContain(`\n${await readFile(join(FOLDER, file), 'utf8')}\`\`\`\n`);
});

for (const { name, file } of LANGUAGES.filter((language) => !HERE.includes(language))) {
  test(`${name} is not on this machine: ${file} was not tried`, () => {
    process.stderr.write(`\n${name} is not on this machine: ${FOLDER}/${file} was not tried\n\n`);
    expect(HERE.map((language) => language.name)).not.toContain(name);
  });
}

test('node is always installed', () => {
  expect(HERE.map(({ name }) => name)).toContain('node');
});

describe.for(HERE)('the receiver in $name', (language) => {
  let scratch: string;
  let receiver: Receiver;

  beforeAll(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'frontdesk-receiver-'));
    await build(language, scratch);
    receiver = await start(language, scratch, `${SECRET},${OLD_SECRET}`);
  });

  afterAll(async () => {
    await receiver?.stop();
    await rm(scratch, { recursive: true, force: true });
  });

  test('answers 204 to a valid signature and reads the event', async () => {
    expect(await receiver.post(signed(BODY))).toBe(204);
    await expect.poll(receiver.said).toContain(`${EVENT_ID} contact.created`);
  });

  test('accepts both secrets of a rotation, and both signatures', async () => {
    const old = signed(BODY, { secret: OLD_SECRET });
    expect(await receiver.post(old)).toBe(204);
    const both = `v1,AAAA ${old.headers[SIGNATURE]}`;
    expect(await receiver.post({ ...old, headers: { ...old.headers, [SIGNATURE]: both } })).toBe(
      204,
    );
  });

  test('answers 500 if it cannot keep the event, which is then delivered again', async () => {
    expect(await receiver.post(signed('no JSON'))).toBe(500);
  });

  test.for<[string, string]>([
    ['beyond ASCII', bodyOf({ firstName: 'Žofie 🙂 \u2028 é' })],
    ['with blanks that no parser keeps', `${BODY.replaceAll(':', ' :  ')}\n`],
    ['of half a megabyte', bodyOf({ bodyText: 'ü'.repeat(250_000) })],
  ])('answers 204 to a body %s', async ([, body]) => {
    expect(await receiver.post(signed(body))).toBe(204);
  });

  test.for([-4.8, 4.8])('accepts a clock that is %d minutes off', async (minutes) => {
    const at = Date.now() + minutes * MINUTE_MS;
    expect(await receiver.post(signed(BODY, { at }))).toBe(204);
  });

  test.for(REFUSED)('answers 401 to %s', async ([, delivery]) => {
    expect(await receiver.post(delivery())).toBe(401);
  });

  test('survives a sender that disconnects in the middle', async () => {
    const socket = connect(receiver.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf');
    await sleep(50);
    socket.destroy();
    expect(await receiver.post(signed(BODY))).toBe(204);
  });

  test('accepts nothing without a secret', async () => {
    const careless = await start(language, scratch, '');
    const status = careless.hasEnded()
      ? 500
      : await careless.post(signed(BODY, { secret: 'whsec_' }));
    await careless.stop();
    expect(status).toBe(500);
  });
});
