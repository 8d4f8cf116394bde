import { newId } from '#lib/id.ts';
import { changeMessageStatus } from '../../../src/conversations/messages/change-message-status.ts';
import { keepHouse } from '../../support/keep-house.ts';
import { describe, expect, OPERATOR, test, type TestService } from '../../support/service.ts';
import { brought, callBack, setUpBridge, words } from './callbacks.support.ts';
import { MAIL, messagesOf, newThread, post } from '../conversations.support.ts';

describe('a receipt', () => {
  async function sent(service: TestService, externalId: string) {
    await setUpBridge(service, 'email');
    const thread = await newThread(service);
    const id = (await post(service, thread.id, MAIL)).body.data.id as string;
    const { transact, subAccountId } = service;
    const accept = () =>
      transact(subAccountId, OPERATOR, (work) =>
        changeMessageStatus(work, id, { status: 'sent', externalId }),
      );
    return { id, thread, accept };
  }
  const report = (service: TestService, body: object) => callBack(service, 'email', 'status', body);

  test('changes the message and fires one event, however often it is repeated', async ({
    service,
  }) => {
    const { id, thread, accept } = await sent(service, 'M1');
    await accept();
    await service.events();
    for (let again = 0; again < 3; again += 1) {
      const { status, body } = await report(service, { externalId: 'M1', status: 'delivered' });
      expect([status, body]).toEqual([200, { data: { messageId: id } }]);
    }
    expect(await service.events()).toMatchObject([
      { name: 'message.delivered', data: { messageId: id, externalId: 'M1' } },
    ]);
    await report(service, {
      externalId: 'M1',
      status: 'bounced',
      errorCode: '5.2.2',
      errorMessage: 'full',
    });
    await report(service, { externalId: 'M1', status: 'read' });
    expect(await messagesOf(service, thread.id)).toMatchObject([
      { status: 'bounced', errorCode: '5.2.2', errorMessage: 'full' },
    ]);
    expect(await service.eventNames()).toEqual(['message.failed']);
  });

  test('that arrives before the provider’s response is stored applies after that', async ({
    service,
  }) => {
    const { thread, accept } = await sent(service, 'M2');
    for (const status of ['delivered', 'delivered', 'read']) {
      const { body } = await report(service, { externalId: 'M2', status });
      expect(body).toEqual({ data: { messageId: null } });
    }
    await report(service, { externalId: 'M3', status: 'failed' });
    expect(await service.eventNames()).toEqual([]);
    await accept();
    expect(await service.eventNames()).toEqual(['message.sent', 'message.delivered']);
    expect((await messagesOf(service, thread.id))[0].status).toBe('read');
    const kept = await service.database.rows('select external_id as id from message_receipts');
    expect(kept).toContainEqual({ id: 'M3' });
    expect(kept).not.toContainEqual({ id: 'M2' });
  });

  test('concurrent with the response is never lost, twenty times', async ({ service }) => {
    await setUpBridge(service, 'email');
    const thread = await newThread(service);
    const { transact, subAccountId } = service;
    for (let round = 0; round < 20; round += 1) {
      const externalId = `R${round}`;
      const { id } = (await post(service, thread.id, MAIL)).body.data;
      await service.events();
      await Promise.all([
        transact(subAccountId, OPERATOR, (work) =>
          changeMessageStatus(work, id, { status: 'sent', externalId }),
        ),
        report(service, { externalId, status: 'delivered' }),
        report(service, { externalId, status: 'delivered' }),
      ]);
      expect(await service.eventNames()).toEqual(['message.sent', 'message.delivered']);
    }
  });

  test('for an inbound message is ignored', async ({ service }) => {
    await setUpBridge(service, 'email');
    await brought(service, 'email', words({ externalId: 'X', from: 'ada@example.com' }));
    await service.events();
    const { body } = await report(service, { externalId: 'X', status: 'read' });
    expect([body.data.messageId, await service.eventNames()]).toEqual([null, []]);
  });

  test('for an unknown message is stored for 30 days', async ({ service }) => {
    const { database, subAccountId } = service;
    for (const days of [29, 31]) {
      await database.rows(
        `insert into message_receipts
           (sub_account_id, id, channel, external_id, status, created_at)
         values ($1, $2, 'email', $3, 'sent', now())`,
        [subAccountId, newId(new Date(Date.now() - days * DAY_MS)), `D${days}`],
      );
    }
    await keepHouse(service);
    const kept = await database.rows(
      'select external_id as id from message_receipts where sub_account_id = $1',
      [subAccountId],
    );
    expect(kept).toEqual([{ id: 'D29' }]);
  });
});

const DAY_MS = 24 * 3_600_000;
