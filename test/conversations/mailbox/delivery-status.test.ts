import { findSuppressions } from '../../../src/contacts/consent/suppressions.ts';
import { newId } from '#lib/id.ts';
import { lastingStatus } from '../../../src/conversations/mailbox/delivery-status.ts';
import { parseMail } from '../../../src/conversations/mailbox/parse-safely.ts';
import { changeMessageStatus } from '../../../src/conversations/messages/change-message-status.ts';
import { OPERATOR, describe, expect, test, type TestService } from '../../support/service.ts';
import { exim, oldExim, postfix } from './bounces.support.ts';
import { exchange, gmail } from './cloud-bounces.support.ts';
import { MAIL, messagesOf, newThread, post, setUpChannel } from '../conversations.support.ts';
import { arrives, DESK, fromAda } from './mail.support.ts';

const ID = '<0192f7c4-5b1e-7c3a-9d42-29468088e7f1@harbour.example>';

const SUBJECT = 'Subject: Your visit';
const AUTOMATIC = 'Auto-Submitted: auto-replied\r\n';

const parsed = (raw: string) => parseMail(Buffer.from(raw), DESK);

describe('a report', () => {
  for (const [of, sample, errorCode] of [
    ['Postfix', postfix(ID), '5.1.1'],
    ['Postfix on an automatic reply', postfix(ID).replace(SUBJECT, AUTOMATIC + SUBJECT), '5.1.1'],
    ['Exim', exim(ID), '5.1.1'],
    ['Exim without a detailed code', exim(ID, '550 No such user here'), '5.0.0'],
    ['an old Exim', oldExim(ID), '5.1.1'],
    ['Gmail', gmail(ID), '5.1.1'],
    ['Exchange', exchange(ID), '5.1.10'],
  ] as const) {
    test(`of ${of} yields the message, the code and the reason without addresses`, async () => {
      const { inbound, receipts } = await parsed(sample);
      const errorMessage = expect.stringMatching(/550|not found|exist/);
      expect(inbound).toEqual([]);
      expect(receipts).toEqual([{ externalId: ID, status: 'bounced', errorCode, errorMessage }]);
      expect(receipts[0]?.errorMessage).not.toContain('ada@');
    });
  }

  test('is ignored for a temporary failure or a mail of another sender', async () => {
    const nothing = { inbound: [], receipts: [] };
    expect(await parsed(postfix(ID, { action: 'delayed', status: '4.4.1' }))).toEqual(nothing);
    expect(await parsed(postfix(ID, { action: 'failed', status: '4.4.7' }))).toEqual(nothing);
    expect(await parsed(postfix(ID, { action: 'delivered', status: '2.0.0' }))).toEqual(nothing);
    expect(await parsed(postfix('<1700000000.1234@elsewhere.example>'))).toEqual(nothing);
    expect(await parsed(gmail('<CAF+abc@mail.gmail.com>'))).toEqual(nothing);
  });

  test('that is forwarded is an inbound message, not a bounce', async () => {
    const attached = `--b\r\nContent-Type: text/plain\r\n\r\nWhat is this?\r\n--b\r\nContent-Type: message/rfc822\r\n\r\n${postfix(ID)}\r\n--b--`;
    const mail = fromAda({ 'Content-Type': 'multipart/mixed; boundary=b' }, attached);
    const { inbound, receipts } = await parsed(mail);
    expect(receipts).toEqual([]);
    expect(inbound).toMatchObject([{ bodyText: expect.stringContaining('What is this?') }]);
  });

  test('has the status of the failure', () => {
    const table = [
      ['5.1.1', '', '5.1.1'],
      ['5.2.2 (full)', '552 5.1.1 x', '5.2.2'],
      ['5.0.0', 'smtp; 550-5.1.1 gone', '5.1.1'],
      ['5.0.0', '550 gone', '5.0.0'],
      ['4.2.2', '550 5.1.1 gone', undefined],
      ['2.0.0', '', undefined],
      ['', '550 5.7.1 no', '5.7.1'],
      ['', '550 no', '5.0.0'],
      ['', '450 later', undefined],
      ['', 'connection 550 lost', undefined],
      ['nonsense', '', undefined],
    ] as const;
    for (const [status, diagnosis, expected] of table) {
      expect([status, diagnosis, lastingStatus(status, diagnosis)]).toEqual([
        status,
        diagnosis,
        expected,
      ]);
    }
  });
});

/** Returns the id and the Message-ID of a message that a mail server accepted. */
async function sent(service: TestService, taken = true) {
  await setUpChannel(service, 'email');
  const thread = await newThread(service);
  const { id } = (await post(service, thread.id, MAIL)).body.data;
  const externalId = `<${id}@harbour.example>`;
  const accept = () =>
    service.transact(service.subAccountId, OPERATOR, (work) =>
      changeMessageStatus(work, id, { status: 'sent', externalId }),
    );
  if (taken) {
    await accept();
  }
  await service.events();
  return { ...thread, messageId: id as string, externalId, accept };
}

const suppressed = async ({ openView, subAccountId }: TestService) => {
  const found = await findSuppressions(openView(subAccountId, new Date()), { channel: 'email' });
  return found.map(({ address, reason }) => [address, reason]);
};

const DEAD = [['ada@example.com', 'bounce']];

describe('a bounce', () => {
  test('suppresses the address and fires one event', async ({ service }) => {
    const { id, contactId, messageId, externalId } = await sent(service);
    expect(await arrives(service, postfix(externalId))).toBe(messageId);
    await arrives(service, postfix(externalId));
    await arrives(service, exchange(externalId));
    expect(await messagesOf(service, id)).toMatchObject([
      { id: messageId, status: 'bounced', errorCode: '5.1.1', externalId },
    ]);
    const data = { messageId, conversationId: id, channel: 'email', status: 'bounced', externalId };
    expect(await service.events()).toEqual([{ name: 'message.failed', contactId, data }]);
    expect(await suppressed(service)).toEqual(DEAD);
    const { status, body } = await post(service, id, MAIL);
    expect([status, body.data]).toMatchObject([200, { skipped: true, reason: 'dnd' }]);
  });

  for (const [code, isDead] of [
    ['5.1.1', true],
    ['5.1.10', true],
    ['5.0.0', true],
    ['5.2.1', true],
    ['5.2.2', false],
    ['5.4.4', false],
    ['5.7.1', false],
  ] as const) {
    test(`with ${code} ${isDead ? 'closes' : 'does not close'} the address`, async ({
      service,
    }) => {
      const { id, externalId } = await sent(service);
      await arrives(service, postfix(externalId, { status: code }));
      expect((await messagesOf(service, id))[0]).toMatchObject({
        status: 'bounced',
        errorCode: code,
      });
      expect(await suppressed(service)).toEqual(isDead ? DEAD : []);
      expect(await service.eventNames()).toEqual(['message.failed']);
    });
  }

  test('that is temporary or about an unknown message changes nothing', async ({ service }) => {
    const { id, externalId } = await sent(service);
    await arrives(service, postfix(externalId, { action: 'delayed', status: '4.4.1' }));
    await arrives(service, postfix(`<${newId(new Date())}@harbour.example>`));
    await arrives({ ...service, subAccountId: service.otherSubAccountId }, postfix(externalId));
    expect((await messagesOf(service, id))[0].status).toBe('sent');
    expect(await service.eventNames()).toEqual([]);
    expect(await suppressed(service)).toEqual([]);
  });

  test('that arrives before the server’s reply is stored applies after that', async ({
    service,
  }) => {
    const { id, externalId, accept } = await sent(service, false);
    await arrives(service, postfix(externalId));
    expect((await messagesOf(service, id))[0].status).toBe('pending');
    expect(await service.eventNames()).toEqual([]);
    await accept();
    expect((await messagesOf(service, id))[0].status).toBe('bounced');
    expect(await service.eventNames()).toEqual(['message.sent', 'message.failed']);
    expect(await suppressed(service)).toEqual(DEAD);
  });
});
