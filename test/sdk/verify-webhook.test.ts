import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyWebhook, type AnyEvent, type Client, type Delivery } from '../../sdk/src/main.ts';
import { startInstallation, type Installation } from '../support/command-line.ts';
import { startSink, type Sink } from '../support/https-sink.ts';

let installation: Installation;
let sink: Sink;
let frontdesk: Client;
let webhookId: string;
let secret: string;

/** A request that the product sent to a subscribed receiver. */
let genuine: Delivery & { readonly headers: Record<string, string> };

beforeAll(async () => {
  [installation, sink] = await Promise.all([startInstallation(), startSink({ https: true })]);
  await installation.startWorker();
  frontdesk = installation.client;
  const url = `${sink.url}/hook`;
  const webhook = await frontdesk.webhooks.create({ url, events: ['contact.created'] });
  webhookId = webhook.id;
  secret = webhook.secret ?? '';
  await frontdesk.contacts.create({ firstName: 'Ada', lastName: 'Grüße' });
  genuine = await delivered(1);
});
afterAll(async () => {
  await installation.close();
  await sink.close();
});

async function delivered(count: number) {
  const { headers, body } = (await sink.next(count))[count - 1]!;
  return { headers: headers as Record<string, string>, body, secret };
}

const without = (headers: Record<string, string>, ...names: readonly string[]) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));

const hmac = (text: string, key = secret) =>
  `sha256=${createHmac('sha256', key).update(text).digest('hex')}`;

const STANDARD = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
const OWN_SECRET = 'whsec_of-my-own';

/** Signs like the product, now, with a secret that has no key of Standard Webhooks. */
function signed(text: string): Delivery {
  const timestamp = String(Date.now());
  return {
    secret: OWN_SECRET,
    body: text,
    headers: {
      'X-Webhook-Timestamp': timestamp,
      'X-Webhook-Signature': hmac(text, OWN_SECRET),
      'X-Webhook-Signature-V2': hmac(`${timestamp}.${text}`, OWN_SECRET),
      'X-Webhook-Event-Id': 'e1',
    },
  };
}

describe('a delivery of the product', () => {
  test('returns the same event as the feed', async () => {
    const event = await verifyWebhook(genuine);
    expect(event).toEqual((await frontdesk.events.list()).data[0]);
    // The name discriminates the types.
    expect(event.event === 'contact.created' && event.data.lastName).toBe('Grüße');
    expect(event.event === 'contact.tag_added' && event.data.tagName).toBe(false);
  });

  test('is accepted with the headers of any server', async () => {
    const bytes = Buffer.from(genuine.body as Buffer);
    const { headers } = genuine;
    const upper = Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]);
    const bodies = [bytes, bytes.toString(), new Uint8Array(bytes), new Uint8Array(bytes).buffer];
    for (const body of bodies) {
      for (const given of [headers, new Headers(headers), Object.fromEntries(upper)]) {
        const event = await verifyWebhook({ body, headers: given, secret });
        expect(event.id).toBe(headers['x-webhook-event-id']);
      }
    }
  });

  test('is accepted with any of several secrets', async () => {
    const taken = await verifyWebhook({ ...genuine, secret: ['whsec_another', secret] });
    expect(taken.event).toBe('contact.created');
    const none = verifyWebhook({ ...genuine, secret: ['whsec_another', 'whsec_third'] });
    await expect(none).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
  });

  test.for([
    ['altered', { body: '{"event":"contact.created","timestamp":"t","data":{}}' }],
    ['cut', (it: Buffer) => ({ body: it.subarray(0, -1) })],
    ['with a later timestamp', { headers: { 'x-webhook-timestamp': String(Date.now() + 1) } }],
    ['without a timestamp', { headers: { 'x-webhook-timestamp': undefined } }],
    ['without a signature', { headers: { 'x-webhook-signature-v2': undefined } }],
    [
      'with a signature of something else',
      { headers: { 'x-webhook-signature-v2': hmac('', 'x') } },
    ],
    ['with half a signature', { headers: { 'x-webhook-signature-v2': 'sha256=00' } }],
    ['with a signature that is none', { headers: { 'x-webhook-signature-v2': 'sha1=00' } }],
  ] as const)('is refused %s', async ([, change]) => {
    const changed = typeof change === 'function' ? change(genuine.body as Buffer) : change;
    const own = without(genuine.headers, ...STANDARD);
    const headers = { ...own, ...('headers' in changed && changed.headers) };
    const call = verifyWebhook({ ...genuine, acceptUnsignedId: true, ...changed, headers });
    await expect(call).rejects.toMatchObject({
      name: 'FrontdeskError',
      code: 'INVALID_SIGNATURE',
      status: undefined,
    });
  });

  test('is refused when it is too old, or too far in the future', async () => {
    const sentAt = Number(genuine.headers['webhook-timestamp']) * 1_000;
    const at = (offMs: number, toleranceSeconds?: number) =>
      verifyWebhook({ ...genuine, toleranceSeconds, now: () => sentAt + offMs });
    for (const [offMs, toleranceSeconds] of [[300_000], [-300_000], [0, 0], [3_600_000, 3_600]]) {
      expect((await at(offMs ?? 0, toleranceSeconds)).event).toBe('contact.created');
    }
    for (const [offMs, toleranceSeconds] of [[300_001], [-300_001], [1, 0], [0, Number.NaN]]) {
      const call = at(offMs ?? 0, toleranceSeconds);
      await expect(call).rejects.toMatchObject({ code: 'STALE_TIMESTAMP' });
    }
  });

  test('of a test is accepted', async () => {
    await frontdesk.webhooks.test(webhookId);
    const event = await verifyWebhook(await delivered(2));
    expect(event).toMatchObject({
      event: 'webhook.test',
      data: { locationId: expect.any(String) },
    });
    expect(event.data).not.toHaveProperty('contactId');
  });
});

describe('in a rotation', () => {
  test('the old secret is valid only for the signatures made with it', async () => {
    const old = secret;
    const gracePeriodSeconds = 3_600;
    const regenerated = await frontdesk.webhooks.regenerateSecret(webhookId, {
      gracePeriodSeconds,
    });
    secret = regenerated.secret ?? '';
    const count = sink.requests.length + 1;
    await frontdesk.contacts.create({ firstName: 'Eve', lastName: 'L' });
    const rotated = await delivered(count);
    expect((await verifyWebhook({ ...rotated, secret: [old, secret] })).event).toBe(
      'contact.created',
    );
    // The signature of Standard Webhooks is also made with the old one.
    const withOld = { ...rotated, secret: old };
    expect((await verifyWebhook(withOld)).event).toBe('contact.created');
    const own = { ...withOld, headers: without(rotated.headers, 'webhook-signature') };
    await expect(verifyWebhook(own)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    expect((await verifyWebhook({ ...own, acceptUntimed: true })).event).toBe('contact.created');
  });
});

describe('the signature of Standard Webhooks', () => {
  /** The delivery without our own signatures. */
  const standard = () => ({
    ...genuine,
    headers: without(genuine.headers, 'x-webhook-signature-v2', 'x-webhook-signature'),
  });

  test('is enough, and its id is that of the event', async () => {
    const headers = without(standard().headers, 'x-webhook-event-id');
    const event = await verifyWebhook({ ...standard(), headers });
    expect([event.event, event.id]).toEqual(['contact.created', headers['webhook-id']]);
  });

  test.for(['x-webhook-event-id', 'webhook-id'])(
    'is refused if another id is written to %s',
    async (header) => {
      const headers = { ...genuine.headers, [header]: 'another' };
      for (const more of [{}, { acceptUnsignedId: true }, { acceptUntimed: true }]) {
        const call = verifyWebhook({ ...genuine, headers, ...more });
        await expect(call).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
      }
    },
  );

  test('cannot be left out to change the id, unless the receiver accepts that', async () => {
    const left = without(genuine.headers, ...STANDARD);
    const headers = { ...left, 'x-webhook-event-id': 'another' };
    const call = verifyWebhook({ ...genuine, headers });
    await expect(call).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    const event = await verifyWebhook({ ...genuine, headers, acceptUnsignedId: true });
    expect(event.id).toBe('another');
  });

  test.for([
    ['with another id', { 'webhook-id': 'another' }],
    ['with another time', { 'webhook-timestamp': '1796115600' }],
    ['without a time', { 'webhook-timestamp': undefined }],
    ['without a signature', { 'webhook-signature': undefined }],
    ['with a signature of another version', (it: string) => it.replace('v1,', 'v1a,')],
    ['with half a signature', (it: string) => it.slice(0, 20)],
    ['with a signature that is not base64', { 'webhook-signature': 'v1,*' }],
    [
      'with the signature at the end of a long list',
      (it: string) => `${'v1,AAAA '.repeat(9)}${it}`,
    ],
  ] as const)('is refused %s', async ([, change]) => {
    const { headers } = standard();
    const signature = headers['webhook-signature'] ?? '';
    const changed =
      typeof change === 'function' ? { 'webhook-signature': change(signature) } : change;
    const call = verifyWebhook({ ...standard(), headers: { ...headers, ...changed } });
    await expect(call).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
  });

  test('is refused with an altered body, another secret, or a secret of another form', async () => {
    const altered = { body: '{"event":"contact.created","timestamp":"t","data":{}}' };
    const secrets = [`whsec_${btoa('another')}`, 'whsec_*', 'whsec_'].map((one) => ({
      secret: one,
    }));
    for (const change of [altered, ...secrets]) {
      const call = verifyWebhook({ ...standard(), ...change });
      await expect(call).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    }
  });

  test('is refused by its own time when it is too old', async () => {
    const sentAt = Number(genuine.headers['webhook-timestamp']) * 1_000;
    const headers = { ...standard().headers, 'x-webhook-timestamp': String(sentAt + 3_600_000) };
    const at = (now: number) => verifyWebhook({ ...standard(), headers, now: () => now });
    expect((await at(sentAt + 300_000)).event).toBe('contact.created');
    await expect(at(sentAt + 300_001)).rejects.toMatchObject({ code: 'STALE_TIMESTAMP' });
    await expect(at(sentAt - 300_001)).rejects.toMatchObject({ code: 'STALE_TIMESTAMP' });
  });
});

describe('a signature that does not cover the time', () => {
  const untimed = (text: string): Delivery => {
    const { headers, ...delivery } = signed(text);
    return { ...delivery, headers: { ...headers, 'X-Webhook-Signature-V2': undefined } };
  };
  const event = '{"event":"contact.tag_added","timestamp":"t","data":{"tagName":"vip"}}';

  test('is accepted only with acceptUntimed', async () => {
    const refused = verifyWebhook(untimed(event));
    await expect(refused).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    const taken = await verifyWebhook({ ...untimed(event), acceptUntimed: true });
    expect(taken).toMatchObject({ id: 'e1', event: 'contact.tag_added' });
  });
});

test('an event that is newer than the client is returned as AnyEvent', async () => {
  const event: AnyEvent = await verifyWebhook(
    signed('{"event":"pigeon.landed","timestamp":"t","data":{"subAccountId":"s","loft":7}}'),
  );
  expect([event.event, event.data['loft']]).toEqual(['pigeon.landed', 7]);
});

test.for([
  '',
  'null',
  '[]',
  '7',
  '{"event":7,"data":{}}',
  '{"event":"a.b"}',
  '{"event":"a.b","data":null}',
  '{"data":{}}',
])('what is signed and no event is refused: %s', async (text) => {
  const call = verifyWebhook(signed(text));
  await expect(call).rejects.toMatchObject({ code: 'UNREADABLE_EVENT' });
});

test.for([
  [{ secret: '' }, /secret/],
  [{ secret: [] }, /secret/],
  [{ secret: [undefined] }, /secret/],
  [{ body: { event: 'contact.created' } }, /body/],
] as const)('what no receiver means throws a TypeError: %j', async ([wrong, said]) => {
  const call = verifyWebhook({ ...signed('{}'), ...(wrong as object) });
  await expect(call).rejects.toThrow(TypeError);
  await expect(call).rejects.toThrow(said);
});
