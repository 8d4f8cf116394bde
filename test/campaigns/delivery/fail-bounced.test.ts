import { findSuppressions } from '../../../src/contacts/consent/suppressions.ts';
import { receiveReceipt } from '../../../src/conversations/inbound/receive-receipt.ts';
import { exim, postfix } from '../../conversations/mailbox/bounces.support.ts';
import { arrives } from '../../conversations/mailbox/mail.support.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';
import { CAMPAIGN, clients, recipientsOf, setUpCampaigns } from '../campaigns.support.ts';

/** A campaign whose one mail was sent; answers the line's id and how it is now. */
async function mailed(service: TestService) {
  await setUpCampaigns(service);
  await clients(service, ['ada@example.com']);
  const { id } = (await service.call('POST /api/v1/campaigns', { body: CAMPAIGN })).body.data;
  await service.call(`POST /api/v1/campaigns/${id}/send`);
  await service.database.rows(
    `update campaign_recipients set status = 'sent' where campaign_id = $1`,
    [id],
  );
  await service.events();
  const [line] = await recipientsOf(service, id);
  const view = service.openView(service.subAccountId, new Date());
  return {
    lineId: line?.id ?? '',
    line: async () => (await recipientsOf(service, id))[0],
    closed: async () =>
      (await findSuppressions(view, { channel: 'email' })).map(({ address }) => address),
  };
}

describe('a campaign mail that comes back', () => {
  test('by its Message-ID is failed, and its address gets no mail any more', async ({
    service,
  }) => {
    const { lineId, line, closed } = await mailed(service);
    await arrives(service, postfix(`<${lineId}@harbour.example>`));
    expect(await line()).toMatchObject({ status: 'failed', errorCode: '5.1.1' });
    expect(await closed()).toEqual(['ada@example.com']);
    expect(await service.eventNames()).toEqual([]);
    // No message will ever take the receipt, so none is kept.
    expect(await service.database.rows('select id from message_receipts')).toEqual([]);
  });

  test.for(['bounced', 'failed'] as const)(
    'as %s by the bridge’s own id of it is failed',
    async (status, { service }) => {
      const { lineId, line, closed } = await mailed(service);
      await service.database.rows(
        `update campaign_recipients set external_id = 'bridge-7' where id = $1`,
        [lineId],
      );
      await service.transact(service.subAccountId, service.actor, async (work) => {
        const receipt = { externalId: 'bridge-7', status, errorCode: '5.1.1' };
        expect(await receiveReceipt(work, 'email', receipt)).toBeNull();
      });
      expect(await line()).toMatchObject({ status: 'failed', errorCode: '5.1.1' });
      expect(await closed()).toEqual(status === 'bounced' ? ['ada@example.com'] : []);
      expect(await service.eventNames()).toEqual([]);
    },
  );

  test('for another reason than the address leaves that open', async ({ service }) => {
    const { lineId, line, closed } = await mailed(service);
    await arrives(service, postfix(`<${lineId}@harbour.example>`, { status: '5.7.1' }));
    expect(await line()).toMatchObject({ status: 'failed', errorCode: expect.any(String) });
    expect(await closed()).toEqual([]);
  });

  test('to the address that it was sent from (VERP) is known by that', async ({ service }) => {
    const { lineId, line } = await mailed(service);
    const tag = lineId.replaceAll('-', '');
    const report = exim('<somebody@elsewhere.example>').replaceAll(
      'hello@harbour.example',
      `desk+${tag}@harbour.example`,
    );
    await arrives(service, report);
    expect(await line()).toMatchObject({ status: 'failed', errorCode: '5.1.1' });
  });

  test('of an unknown mail or another sub-account changes nothing', async ({ service }) => {
    const { lineId, line, closed } = await mailed(service);
    await arrives(service, postfix('<01a20086-df6f-70c5-9eaf-d93ea0e30234@harbour.example>'));
    const stranger = { ...service, subAccountId: service.otherSubAccountId };
    await arrives(stranger, postfix(`<${lineId}@harbour.example>`));
    expect(await line()).toMatchObject({ status: 'sent' });
    expect(await closed()).toEqual([]);
  });
});
