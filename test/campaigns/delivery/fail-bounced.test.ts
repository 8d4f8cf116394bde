import { findSuppressions } from '../../../src/contacts/consent/suppressions.ts';
import { receiveReceipt } from '../../../src/conversations/inbound/receive-receipt.ts';
import { exim, postfix } from '../../conversations/mailbox/bounces.support.ts';
import { arrives } from '../../conversations/mailbox/mail.support.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';
import { CAMPAIGN, clients, recipientsOf, setUpCampaigns } from '../campaigns.support.ts';

/** Sends a campaign to one contact. Returns the recipient's id and functions that read its state. */
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
  const [recipient] = await recipientsOf(service, id);
  const view = service.openView(service.subAccountId, new Date());
  return {
    recipientId: recipient?.id ?? '',
    recipient: async () => (await recipientsOf(service, id))[0],
    suppressed: async () =>
      (await findSuppressions(view, { channel: 'email' })).map(({ address }) => address),
  };
}

describe('a campaign mail that bounces', () => {
  test('is failed if the bounce has its Message-ID, and its address is suppressed', async ({
    service,
  }) => {
    const { recipientId, recipient, suppressed } = await mailed(service);
    await arrives(service, postfix(`<${recipientId}@harbour.example>`));
    expect(await recipient()).toMatchObject({ status: 'failed', errorCode: '5.1.1' });
    expect(await suppressed()).toEqual(['ada@example.com']);
    expect(await service.eventNames()).toEqual([]);
    // The receipt belongs to no message, so it is not stored.
    expect(await service.database.rows('select id from message_receipts')).toEqual([]);
  });

  test.for(['bounced', 'failed'] as const)(
    'is failed if the bridge reports it as %s with its own id',
    async (status, { service }) => {
      const { recipientId, recipient, suppressed } = await mailed(service);
      await service.database.rows(
        `update campaign_recipients set external_id = 'bridge-7' where id = $1`,
        [recipientId],
      );
      await service.transact(service.subAccountId, service.actor, async (work) => {
        const receipt = { externalId: 'bridge-7', status, errorCode: '5.1.1' };
        expect(await receiveReceipt(work, 'email', receipt)).toBeNull();
      });
      expect(await recipient()).toMatchObject({ status: 'failed', errorCode: '5.1.1' });
      expect(await suppressed()).toEqual(status === 'bounced' ? ['ada@example.com'] : []);
      expect(await service.eventNames()).toEqual([]);
    },
  );

  test('does not suppress the address if the reason is another one', async ({ service }) => {
    const { recipientId, recipient, suppressed } = await mailed(service);
    await arrives(service, postfix(`<${recipientId}@harbour.example>`, { status: '5.7.1' }));
    expect(await recipient()).toMatchObject({ status: 'failed', errorCode: expect.any(String) });
    expect(await suppressed()).toEqual([]);
  });

  test('is failed if the bounce goes to its own return path (VERP)', async ({ service }) => {
    const { recipientId, recipient } = await mailed(service);
    const tag = recipientId.replaceAll('-', '');
    const report = exim('<another@elsewhere.example>').replaceAll(
      'hello@harbour.example',
      `desk+${tag}@harbour.example`,
    );
    await arrives(service, report);
    expect(await recipient()).toMatchObject({ status: 'failed', errorCode: '5.1.1' });
  });

  test('changes nothing if the mail is unknown or of another sub-account', async ({ service }) => {
    const { recipientId, recipient, suppressed } = await mailed(service);
    await arrives(service, postfix('<01a20086-df6f-70c5-9eaf-d93ea0e30234@harbour.example>'));
    const elsewhere = { ...service, subAccountId: service.otherSubAccountId };
    await arrives(elsewhere, postfix(`<${recipientId}@harbour.example>`));
    expect(await recipient()).toMatchObject({ status: 'sent' });
    expect(await suppressed()).toEqual([]);
  });
});
