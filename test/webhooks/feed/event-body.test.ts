import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { userAgentOf } from '../../../src/webhooks/deliveries/lease.ts';
import { eventBody, eventData } from '../../../src/webhooks/feed/event-body.ts';
import { signatureHeaders, signingKey } from '../../../src/webhooks/deliveries/signature.ts';

const account = { subAccountId: 'sub', locationId: 'loc' };

describe('the body of a delivery', () => {
  test('has the common fields first, then the stored fields of the event', () => {
    const body = eventBody(account, {
      name: 'contact.tag_added',
      occurredAt: new Date('2026-11-21T12:00:00.250Z'),
      contactId: 'ada',
      data: '{"tagName":"ä \\"x\\"","tags":["a"]}',
    });
    expect(body).toBe(
      '{"event":"contact.tag_added","timestamp":"2026-11-21T12:00:00.250Z","data":{"subAccountId":"sub","locationId":"loc","contactId":"ada","tagName":"ä \\"x\\"","tags":["a"]}}',
    );
  });

  test('leaves out a missing contact, and works for an event without fields', () => {
    const data = eventData(account, { contactId: null, data: '{}' });
    expect(data).toBe('{"subAccountId":"sub","locationId":"loc"}');
  });

  test('keeps numbers as they were written', () => {
    const data = eventData(account, { contactId: null, data: '{ "amount": 1.10, "n": 1e2 }' });
    expect(data).toContain('"amount": 1.10, "n": 1e2');
    expect(JSON.parse(data)).toMatchObject({ amount: 1.1, n: 100 });
  });
});

describe('the signatures of a delivery', () => {
  const key = signingKey;
  const signed = { eventId: 'e', body: '{"ü":1}', timestampMs: 1_700_000_000_123 };
  const sha = (secret: string, text: string) =>
    `sha256=${createHmac('sha256', secret).update(text, 'utf8').digest('hex')}`;

  test('cover the body, and the timestamp with the body, keyed with the whole secret', () => {
    expect(signatureHeaders({ current: key('whsec_abc') }, signed)).toEqual({
      'x-webhook-signature': sha('whsec_abc', '{"ü":1}'),
      'x-webhook-signature-v2': sha('whsec_abc', '1700000000123.{"ü":1}'),
      'x-webhook-timestamp': '1700000000123',
    });
  });

  test('include one by the old secret during its grace period', () => {
    const keys = { current: key('new'), previous: key('old') };
    expect(signatureHeaders(keys, signed)['x-webhook-signature-previous']).toBe(
      sha('old', signed.body),
    );
  });

  test('include that of Standard Webhooks, keyed with the bytes that the secret encodes', () => {
    const by = (bytes: string) =>
      `v1,${createHmac('sha256', bytes).update('e.1700000000.{"ü":1}').digest('base64')}`;
    const secretOf = (bytes: string) => `whsec_${Buffer.from(bytes).toString('base64')}`;
    const current = key(secretOf('new key'));
    expect(signatureHeaders({ current }, signed)).toMatchObject({
      'webhook-id': 'e',
      'webhook-timestamp': '1700000000',
      'webhook-signature': by('new key'),
    });
    const previous = key(secretOf('old'));
    expect(signatureHeaders({ current, previous }, signed)['webhook-signature']).toBe(
      `${by('new key')} ${by('old')}`,
    );
    const chosen = key('whsec_chosen_by_hand');
    expect(signatureHeaders({ current, previous: chosen }, signed)['webhook-signature']).toBe(
      by('new key'),
    );
    expect(signatureHeaders({ current: chosen }, signed)).not.toHaveProperty('webhook-signature');
  });
});

describe('the User-Agent', () => {
  test.each([
    ['Harbour Dental', 'Harbour Dental-Webhooks/1.0'],
    ['Zähne & Café', 'Zähne & Café-Webhooks/1.0'],
    ['Smile ✨\r\nX-Evil: 1', 'Smile X-Evil: 1-Webhooks/1.0'],
    ['診療所', 'Frontdesk-Webhooks/1.0'],
  ])('of %j is %j', (brand, agent) => {
    expect(userAgentOf(brand)).toBe(agent);
  });
});
