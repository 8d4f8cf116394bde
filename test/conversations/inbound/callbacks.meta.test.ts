import { deleteSubAccount } from '../../../src/accounts/sub-accounts/delete-sub-account.ts';
import { traces } from '../../support/samples.ts';
import { describe, expect, OPERATOR, test } from '../../support/service.ts';
import { contactsOf, FRESH, pathOf, signatureOf, threadsOf } from './callbacks.support.ts';
import { messagesOf } from '../conversations.support.ts';
import {
  aboutPage,
  APP_SECRET,
  direct,
  metaCalls,
  PAGE,
  setUpMeta,
} from '../providers/providers.support.ts';

const HOUR_MS = 3_600_000;

describe('a message from Meta', () => {
  test.for(['inbound', 'status'] as const)('to …/%s is stored once', async (kind, { service }) => {
    await setUpMeta(service);
    const call = aboutPage(direct({ mid: 'm_1' }, { timestamp: Date.now() - HOUR_MS }));
    for (let time = 0; time < 3; time += 1) {
      expect((await metaCalls(service, call, 'messenger', kind)).status).toBe(200);
    }
    const [thread] = await threadsOf(service);
    const [message] = await messagesOf(service, thread.id);
    expect(message).toMatchObject({
      bodyText: 'Is Tuesday still free?',
      fromAddress: 'psid-1',
      toAddress: PAGE,
      externalId: 'm_1',
    });
    expect(Date.now() - Date.parse(message.createdAt)).toBeGreaterThanOrEqual(HOUR_MS);
    expect(await service.eventNames()).toEqual(FRESH);
  });

  test('by instagram names the account, not the page', async ({ service }) => {
    await setUpMeta(service, 'instagram');
    const call = { ...aboutPage(direct()), object: 'instagram' };
    call.entry[0]!.id = '445566';
    expect((await metaCalls(service, call, 'instagram')).status).toBe(200);
    expect(await service.eventNames()).toEqual(FRESH);
  });

  test('by instagram is ignored if it names another account', async ({ service }) => {
    await setUpMeta(service, 'instagram', { instagramId: '445566' });
    const call = { ...aboutPage(direct()), object: 'instagram' };
    call.entry[0]!.id = '778899';
    await metaCalls(service, call, 'instagram');
    expect(await service.eventNames()).toEqual([]);
    call.entry[0]!.id = '445566';
    await metaCalls(service, call, 'instagram');
    expect(await service.eventNames()).toEqual(FRESH);
  });

  test('keeps files for fetching, shows other attachments as links, and a button as its title', async ({
    service,
  }) => {
    await setUpMeta(service);
    const attachments = [
      { type: 'image', payload: { url: 'https://cdn.example/1.jpg' } },
      { type: 'location', payload: { title: 'Harbour', coordinates: { lat: 1, long: 2 } } },
      { type: 'fallback', url: 'https://example.com', payload: null },
      { type: 'image', payload: { url: 'https://' } },
      null,
    ];
    const postback = { message: undefined, postback: { mid: 'm_b', title: 'Get started' } };
    const strange = direct({ text: undefined, is_unsupported: true });
    await metaCalls(service, aboutPage(direct({ attachments }), direct({}, postback), strange));
    const [thread] = await threadsOf(service);
    const texts = (await messagesOf(service, thread.id)).map(({ bodyText }) => bodyText);
    expect(new Set(texts)).toEqual(
      new Set([
        '[a message of a kind that Meta does not forward]',
        'Get started',
        'Is Tuesday still free?\n[location] Harbour\n[fallback] https://example.com\n[image] https://\n[attachment]',
      ]),
    );
    const files = (await messagesOf(service, thread.id)).flatMap(
      ({ attachments: ofMessage }: any) => ofMessage,
    );
    expect(files).toMatchObject([{ name: '1.jpg', url: null, refused: null }]);
  });

  test('keeps a message that is nothing but a file', async ({ service }) => {
    await setUpMeta(service);
    const attachments = [{ type: 'image', payload: { url: 'https://cdn.example/1.jpg' } }];
    await metaCalls(service, aboutPage(direct({ text: undefined, attachments })));
    const [thread] = await threadsOf(service);
    expect(await messagesOf(service, thread.id)).toMatchObject([
      { bodyText: '', attachments: [{ name: '1.jpg', size: null }] },
    ]);
    const received = (await service.events()).find(({ name }) => name === 'message.received');
    expect(received?.data.attachments).toMatchObject([{ name: '1.jpg', url: null }]);
  });

  test.for([
    ['an echo of our own message', aboutPage(direct({ is_echo: true }))],
    ['written by the page', aboutPage(direct({}, { sender: { id: PAGE } }))],
    ['deleted', aboutPage(direct({ is_deleted: true }))],
    ['without text', aboutPage(direct({ text: undefined }))],
    ['without an id', aboutPage(direct({ mid: undefined }))],
    ['with an invalid id', aboutPage(direct({ mid: 'x'.repeat(999) }))],
    ['without a sender', aboutPage(direct({}, { sender: null }))],
    ['a reaction', aboutPage({ sender: { id: 'psid-1' }, reaction: { emoji: '!' } })],
    ['to another page', { object: 'page', entry: [{ id: '9', messaging: [direct()] }] }],
    ['of another product', { ...aboutPage(direct()), object: 'instagram' }],
    ['on standby', { object: 'page', entry: [{ id: PAGE, standby: [direct()] }] }],
    ['a change of the page', { object: 'page', entry: [{ id: PAGE, changes: [{}] }] }],
    ['no entries', { object: 'page' }],
    ['invalid entries', { object: 'page', entry: [null, 7, 'x', { id: PAGE, messaging: 7 }] }],
    ['invalid events', { object: 'page', entry: [{ id: PAGE, messaging: [null, [], 1] }] }],
    ['a list', []],
    ['nothing', null],
  ] as const)('is ignored with a 200 to Meta: %s', async ([, call], { service }) => {
    await setUpMeta(service);
    const before = await traces(service);
    const { status, body } = await metaCalls(service, call);
    expect([status, body]).toEqual([200, { data: { messageId: null } }]);
    expect(await traces(service)).toBe(before);
    expect(await service.eventNames()).toEqual([]);
  });

  test('among a hundred others is stored', async ({ service }) => {
    await setUpMeta(service);
    const events = Array.from({ length: 100 }, (_, n) =>
      n % 2 === 0 ? direct({}, { sender: { id: `psid-${n % 10}` } }) : direct({ is_echo: true }),
    );
    expect((await metaCalls(service, aboutPage(...events))).status).toBe(200);
    expect(await contactsOf(service)).toHaveLength(5);
    const names = await service.eventNames();
    expect(names.filter((name) => name === 'message.received')).toHaveLength(50);
  });

  test('in five concurrent calls with several messages is stored once, twenty times', async ({
    service,
  }) => {
    await setUpMeta(service);
    for (let round = 0; round < 20; round += 1) {
      const sender = { sender: { id: `psid-${round}` } };
      const events = [direct({}, sender), direct({}, sender)];
      const calls = Array.from({ length: 5 }, (_, n) =>
        metaCalls(service, aboutPage(...(n % 2 === 0 ? events : events.toReversed()))),
      );
      expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(Array(5).fill(200));
      expect(await service.eventNames()).toEqual([...FRESH, 'message.received']);
    }
    expect(await threadsOf(service)).toHaveLength(20);
  });
});

describe('a call that Meta did not sign', () => {
  test.for([
    ['none', () => undefined],
    ['another secret', (raw: string) => signatureOf(raw, 'other')],
    ['another body', () => signatureOf('{}', APP_SECRET)],
    ['another algorithm', (raw: string) => signatureOf(raw, APP_SECRET).replace('sha256', 'sha1')],
  ] as const)('is 401 and stores nothing: %s', async ([, sign], { service }) => {
    await setUpMeta(service);
    const before = await traces(service);
    const raw = JSON.stringify(aboutPage(direct()));
    const signature = sign(raw);
    const headers = signature === undefined ? {} : { 'x-hub-signature-256': signature };
    const line = `POST ${pathOf(service, 'messenger', 'inbound')}`;
    expect((await service.call(line, { key: null, raw, headers })).status).toBe(401);
    expect(await traces(service)).toBe(before);
  });

  test.for(['', 'x', '[[[', '{"entry":', '['.repeat(200_000)])(
    'is 400 if it is signed but not JSON',
    async (raw, { service }) => {
      await setUpMeta(service);
      const headers = { 'x-hub-signature-256': signatureOf(raw, APP_SECRET) };
      const line = `POST ${pathOf(service, 'messenger', 'inbound')}`;
      expect((await service.call(line, { key: null, raw, headers })).status).toBe(400);
    },
  );

  test('is 404 in another sub-account and after the deletion of its own', async ({ service }) => {
    await setUpMeta(service);
    const otherSubAccount = { ...service, subAccountId: service.otherSubAccountId };
    expect((await metaCalls(otherSubAccount, aboutPage(direct()))).status).toBe(404);
    expect((await metaCalls(service, aboutPage(direct()), 'instagram')).status).toBe(404);
    await service.transact(service.subAccountId, OPERATOR, deleteSubAccount);
    expect((await metaCalls(service, aboutPage(direct()))).status).toBe(404);
  });
});
