import { describe, expect, test, type TestService } from '../../support/service.ts';
import { threadsOf } from './callbacks.support.ts';
import { messagesOf, post } from '../conversations.support.ts';
import { aboutPage, direct, metaCalls, PAGE, setUpMeta } from '../providers/providers.support.ts';

const HOUR_MS = 3_600_000;

describe('a status from Meta', () => {
  /** Two messages to psid-1 that Meta accepted as out-1 and out-2. */
  async function sent(service: TestService): Promise<string> {
    await setUpMeta(service);
    await metaCalls(service, aboutPage(direct()));
    const [{ id }] = await threadsOf(service);
    for (const externalId of ['out-1', 'out-2']) {
      const message = { channel: 'messenger', bodyText: 'Hello' };
      const { id: messageId } = (await post(service, id, message)).body.data;
      await service.database.rows(
        `update messages set status = 'sent', external_id = $2 where id = $1`,
        [messageId, externalId],
      );
    }
    await service.eventNames();
    return id;
  }

  const statuses = async (service: TestService, id: string) =>
    (await messagesOf(service, id))
      .filter(({ direction }) => direction === 'outbound')
      .map(({ status }) => status);

  const from = { sender: { id: 'psid-1' }, recipient: { id: PAGE }, timestamp: Date.now() };

  test('that names a message marks it as delivered', async ({ service }) => {
    const id = await sent(service);
    const delivery = {
      mids: ['out-1', 'unknown', 7, 'a\0b', '', '編'],
      watermark: Date.now() + HOUR_MS,
    };
    await metaCalls(service, aboutPage({ ...from, delivery }), 'messenger', 'status');
    expect(await statuses(service, id)).toEqual(['sent', 'delivered']);
    expect(await service.eventNames()).toEqual(['message.delivered']);
  });

  test('with a watermark marks all messages before it as read, once', async ({ service }) => {
    const id = await sent(service);
    const call = aboutPage({ ...from, read: { watermark: Date.now() + HOUR_MS } });
    await Promise.all([metaCalls(service, call), metaCalls(service, call, 'messenger', 'status')]);
    expect(await statuses(service, id)).toEqual(['read', 'read']);
    expect(await service.eventNames()).toEqual(['message.delivered', 'message.delivered']);
  });

  test('with an earlier watermark changes nothing', async ({ service }) => {
    const id = await sent(service);
    const watermark = Date.now() - HOUR_MS;
    await metaCalls(service, aboutPage({ ...from, read: { watermark }, delivery: { watermark } }));
    expect(await statuses(service, id)).toEqual(['sent', 'sent']);
    expect(await service.eventNames()).toEqual([]);
  });

  test('of another sender changes nothing', async ({ service }) => {
    const id = await sent(service);
    const read = { watermark: Date.now() + HOUR_MS };
    await metaCalls(service, aboutPage({ ...from, sender: { id: 'psid-2' }, read }));
    expect(await statuses(service, id)).toEqual(['sent', 'sent']);
  });

  test('with an invalid watermark changes nothing', async ({ service }) => {
    const id = await sent(service);
    const times = [-1, 1e300, '1', null, {}];
    await metaCalls(
      service,
      aboutPage(...times.map((watermark) => ({ ...from, read: { watermark } }))),
    );
    expect(await statuses(service, id)).toEqual(['sent', 'sent']);
  });
});

describe('a large call of Meta', () => {
  const delivered = (count: number) => ({
    sender: { id: 'psid-1' },
    recipient: { id: PAGE },
    delivery: { mids: Array.from({ length: count }, (_, index) => `mid-${index}`) },
  });
  const read = { sender: { id: 'psid-1' }, recipient: { id: PAGE }, read: { watermark: 1 } };

  test('stores its receipts a hundred per transaction', async ({ service }) => {
    await setUpMeta(service);
    const call = aboutPage(delivered(250), ...Array.from({ length: 150 }, () => read));
    expect((await metaCalls(service, call, 'messenger', 'status')).status).toBe(200);
    const perTransaction = await service.database.rows(
      `select count(*)::int as n from message_receipts where sub_account_id = $1
       group by xmin::text order by n desc`,
      [service.subAccountId],
    );
    expect(perTransaction).toEqual([{ n: 100 }, { n: 100 }, { n: 50 }]);
  });

  test('with more than 5,000 messages and receipts is refused, and stores nothing', async ({
    service,
  }) => {
    await setUpMeta(service);
    const call = aboutPage(delivered(5_000), read);
    const { status, body } = await metaCalls(service, call);
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    const stored = 'select from message_receipts where sub_account_id = $1';
    expect(await service.database.rows(stored, [service.subAccountId])).toEqual([]);
  });

  test.for([
    [
      'values',
      'contains more than 100000 values',
      () => Array.from({ length: 100_000 }, () => 1),
      /^\/entry\/0\/messaging\/0\/more\/99\d\d\d$/,
    ],
    [
      'levels',
      'is nested deeper than 64 levels',
      () => JSON.parse('['.repeat(80) + ']'.repeat(80)) as object,
      /^\/entry\/0\/messaging\/0\/more(?:\/0){59}$/,
    ],
  ] as const)(
    'with too many %s is refused, and stores nothing',
    async ([, message, of, path], { service }) => {
      await setUpMeta(service);
      const call = aboutPage({ ...delivered(1), more: of() });
      const { status, body } = await metaCalls(service, call);
      expect([status, body.error.details]).toEqual([
        400,
        { issues: [{ in: 'body', path: expect.stringMatching(path), message }] },
      ]);
      const stored = 'select from message_receipts where sub_account_id = $1';
      expect(await service.database.rows(stored, [service.subAccountId])).toEqual([]);
    },
  );
});
