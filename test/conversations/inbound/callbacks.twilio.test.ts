import { deleteSubAccount } from '../../../src/accounts/sub-accounts/delete-sub-account.ts';
import { traces } from '../../support/samples.ts';
import { describe, expect, OPERATOR, test } from '../../support/service.ts';
import { contactsOf, FRESH, pathOf, threadsOf } from './callbacks.support.ts';
import { messagesOf, opened } from '../conversations.support.ts';
import {
  optOutsOf,
  OUR_PHONE,
  PHONE,
  setUpTwilio,
  sms,
  twilioCalls,
  twilioRequest,
} from '../providers/providers.support.ts';

describe('an SMS from Twilio', () => {
  test('is stored once with a new contact, and gets empty TwiML', async ({ service }) => {
    await setUpTwilio(service);
    const form = sms();
    for (let time = 0; time < 3; time += 1) {
      const { status, headers, body } = await twilioCalls(service, 'inbound', form);
      expect([status, headers.get('content-type')]).toEqual([200, 'text/xml; charset=utf-8']);
      expect(body).toContain('<Response/>');
    }
    const [thread] = await threadsOf(service);
    expect(await messagesOf(service, thread.id)).toMatchObject([
      {
        bodyText: 'Is Tuesday still free? Grüße',
        fromAddress: PHONE,
        toAddress: OUR_PHONE,
        externalId: form['MessageSid'],
        direction: 'inbound',
      },
    ]);
    expect(await contactsOf(service)).toMatchObject([{ phone: PHONE, source: 'sms' }]);
    expect(await service.eventNames()).toEqual(FRESH);
  });

  test('keeps its media for fetching', async ({ service }) => {
    await setUpTwilio(service);
    const media = { MediaUrl0: 'https://api.twilio.com/m/1', MediaContentType0: 'image/jpeg' };
    await twilioCalls(service, 'inbound', sms({ Body: '', NumMedia: '1', ...media }));
    const [thread] = await threadsOf(service);
    const [message] = await messagesOf(service, thread.id);
    expect(message).toMatchObject({
      bodyText: '',
      attachments: [{ name: 'media-1', type: 'image/jpeg', size: null, url: null, refused: null }],
    });
  });

  test('opts the phone out and in as Twilio interpreted it, in any language', async ({
    service,
  }) => {
    await setUpTwilio(service);
    await twilioCalls(service, 'inbound', sms({ Body: 'ARRET', OptOutType: 'STOP' }));
    expect(await optOutsOf(service)).toEqual([{ channel: 'sms', address: PHONE, reason: 'stop' }]);
    const again = sms({ Body: 'DEBUT', OptOutType: 'START' });
    await twilioCalls(service, 'inbound', again);
    expect(await optOutsOf(service)).toEqual([]);
    await twilioCalls(service, 'inbound', sms({ Body: 'AIDE', OptOutType: 'HELP' }));
    expect(await optOutsOf(service)).toEqual([]);
    expect(await service.eventNames()).toEqual([...FRESH, 'message.received', 'message.received']);
  });

  test.for([
    [{ MessageSid: '' }, '/externalId'],
    [{ From: '' }, '/from'],
    [{ MessageSid: 'x'.repeat(999) }, '/externalId'],
  ] as const)('is refused if it is invalid: %j', async ([more, path], { service }) => {
    await setUpTwilio(service);
    const before = await traces(service);
    const { status, body } = await twilioCalls(service, 'inbound', sms(more));
    expect([status, body.error.details.issues[0].path]).toEqual([400, path]);
    expect(await traces(service)).toBe(before);
  });

  test.for([
    ['a NUL', { Body: 'a\0b' }, 'ab'],
    ['a lone surrogate', { Body: 'a\ud800b' }, 'a\ufffdb'],
    ['an invalid count', { NumMedia: '-7' }, 'Is Tuesday still free? Grüße'],
    ['an excessive count', { NumMedia: '1e99' }, 'Is Tuesday still free? Grüße'],
  ] as const)('with %s does no harm', async ([, more, text], { service }) => {
    await setUpTwilio(service);
    const { status } = await twilioCalls(service, 'inbound', sms(more));
    expect(status).toBe(200);
    const [thread] = await threadsOf(service);
    expect((await messagesOf(service, thread.id))[0].bodyText).toBe(text);
  });

  test('five times concurrently from a new sender is one message, twenty times', async ({
    service,
  }) => {
    await setUpTwilio(service);
    for (let round = 0; round < 20; round += 1) {
      const form = sms({ From: `+49301234${100 + round}` });
      const calls = Array.from({ length: 5 }, () => twilioCalls(service, 'inbound', form));
      expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(Array(5).fill(200));
      expect(await service.eventNames()).toEqual(FRESH);
    }
    expect(await threadsOf(service)).toHaveLength(20);
  });

  test('five different ones concurrently from a new sender create one contact and one thread', async ({
    service,
  }) => {
    await setUpTwilio(service);
    for (let round = 0; round < 5; round += 1) {
      const from = { From: `+49301234${200 + round}` };
      const calls = Array.from({ length: 5 }, () => twilioCalls(service, 'inbound', sms(from)));
      expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(Array(5).fill(200));
    }
    expect(await contactsOf(service)).toHaveLength(5);
    const threads = await threadsOf(service);
    expect(threads.map(({ unreadCount }) => unreadCount)).toEqual(Array(5).fill(5));
  });
});

describe('a call that Twilio did not sign', () => {
  test.for([
    ['another token', (url: string) => twilioRequest(url, sms(), 'other')],
    ['another address', (url: string) => twilioRequest(`${url}?a=1`, sms())],
    ['another host', () => twilioRequest('https://evil.example/webhooks', sms())],
    ['another form', (url: string) => ({ ...twilioRequest(url, sms()), raw: 'Body=evil' })],
    ['no form', (url: string) => ({ ...twilioRequest(url, sms()), raw: '{"a":1}' })],
    ['nothing', (url: string) => ({ ...twilioRequest(url, sms()), raw: '' })],
  ] as const)('is 401 and stores nothing: %s', async ([, request], { service }) => {
    await setUpTwilio(service);
    const before = await traces(service);
    for (const kind of ['inbound', 'status'] as const) {
      const path = pathOf(service, 'sms', kind);
      const answer = await service.call(`POST ${path}`, request(service.url + path));
      expect([answer.status, answer.body.error.code]).toEqual([401, 'UNAUTHORIZED']);
    }
    expect(await traces(service)).toBe(before);
    expect(await contactsOf(service)).toEqual([]);
  });

  test('is refused if it is not a form or is too large', async ({ service }) => {
    await setUpTwilio(service);
    const path = pathOf(service, 'sms', 'inbound');
    const form = twilioRequest(service.url + path, sms());
    const headers = { ...form.headers, 'content-type': 'text/plain' };
    expect((await service.call(`POST ${path}`, { ...form, headers })).status).toBe(415);
    const large = twilioRequest(service.url + path, sms({ Body: 'x'.repeat(2 ** 17) }));
    expect((await service.call(`POST ${path}`, large)).status).toBe(413);
  });

  test('has at most 500 fields, also before it is verified', async ({ service }) => {
    await setUpTwilio(service);
    const more = (count: number) =>
      sms(Object.fromEntries(Array.from({ length: count }, (_, n) => [`Field${n}`, ''])));
    const before = await traces(service);
    const tooMany = await twilioCalls(service, 'inbound', more(500));
    expect([tooMany.status, tooMany.body.error.message]).toEqual([
      413,
      'the form has more than 500 fields',
    ]);
    const path = pathOf(service, 'sms', 'inbound');
    const unsigned = twilioRequest(service.url + path, more(500), 'other');
    expect((await service.call(`POST ${path}`, unsigned)).status).toBe(413);
    expect(await traces(service)).toBe(before);
    expect((await twilioCalls(service, 'inbound', more(400))).status).toBe(200);
  });

  test('is verified with all values of a repeated field', async ({ service }) => {
    await setUpTwilio(service);
    const path = pathOf(service, 'sms', 'inbound');
    const repeated = { ...sms(), Tag: ['b', 'a'] };
    const raw = new URLSearchParams();
    const { headers } = twilioRequest(service.url + path, repeated as never);
    for (const [name, value] of Object.entries(repeated)) {
      for (const one of [value].flat()) {
        raw.append(name, one);
      }
    }
    const request = { key: null, raw: raw.toString(), headers };
    expect((await service.call(`POST ${path}`, request)).status).toBe(200);
  });

  test('is 404 without the channel and after the deletion of the sub-account', async ({
    service,
  }) => {
    const otherSubAccount = { ...service, subAccountId: service.otherSubAccountId };
    expect((await twilioCalls(otherSubAccount, 'inbound', sms())).status).toBe(404);
    await setUpTwilio(service);
    await service.transact(service.subAccountId, OPERATOR, deleteSubAccount);
    expect((await twilioCalls(service, 'inbound', sms())).status).toBe(404);
  });

  test('is verified with the configured base URL, not with the Host header', async ({
    service,
  }) => {
    await setUpTwilio(service);
    const path = pathOf(service, 'sms', 'inbound');
    const local = service.url.replace('127.0.0.1', 'localhost');
    const signed = twilioRequest(local + path, sms());
    expect((await service.call(`POST ${path}`, signed)).status).toBe(401);
  });
});

test('a phone that wrote by sms keeps its thread', async ({ service }) => {
  await setUpTwilio(service);
  await twilioCalls(service, 'inbound', sms());
  const [{ id, contactId }] = await threadsOf(service);
  const again = await opened(service, { contactId, channel: 'sms' }, 200);
  expect(again.id).toBe(id);
});
