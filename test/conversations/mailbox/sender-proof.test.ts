import { readMail } from '../../../src/conversations/mailbox/read-mail.ts';
import { isSenderRefuted } from '../../../src/conversations/mailbox/sender-proof.ts';
import { messageIdOf } from '../../../src/conversations/mailbox/mail-thread.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';
import { newContact } from '../../tasks/tasks.support.ts';
import { arrives, fromAda } from './mail.support.ts';

const refuted = async (...results: readonly string[]) => {
  const headers = results.map((one) => `Authentication-Results: ${one}\r\n`).join('');
  const mail = await readMail(Buffer.from(`${headers}From: ada@mail.example.com\r\n\r\nHello`));
  return isSenderRefuted(mail, 'ada@mail.example.com');
};

describe('the sender of a mail', () => {
  test.for([
    [],
    ['mx; none'],
    ['mx; dmarc=none'],
    ['mx; auth=pass smtp.auth=ada'],
    ['mx; spf=pass'],
    ['mx; spf=pass smtp.helo=mail.example.com'],
    ['mx; dmarc=pass (p=REJECT) header.from=mail.example.com; spf=fail'],
    ['mx.google.com; dkim=pass header.i=@example.com header.s=20; spf=none'],
    ['mx; dkim=pass header.d=MAIL.example.com'],
    ['mx; spf=pass smtp.mailfrom=bounces.mail.example.com'],
    ['mx; dmarc=none; spf=pass smtp.mailfrom="bounces@mail.example.com"'],
    ['mx; dmarc=temperror; spf=pass smtp.mailfrom=mail.example.com; dkim=fail'],
    ['spf=fail smtp.mailfrom=x.org; dkim=pass header.d=mail.example.com'],
    ['mx; dmarc=pass', 'sender; dmarc=fail'],
    ['mx; spf=pass (a \\) b "c) smtp.mailfrom="a\\"; b"@mail.example.com; dmarc=none'],
  ])('is not doubted with %j', async (results) => {
    expect(await refuted(...results)).toBe(false);
  });

  test.for([
    ['mx; dmarc=fail'],
    ['mx; dmarc=fail; spf=pass smtp.mailfrom=mail.example.com'],
    ['mx; dmarc=pass header.from=evil.example; spf=pass'],
    ['mx; spf=softfail smtp.mailfrom=mail.example.com; dkim=none'],
    ['mx; dmarc=none; spf=none'],
    ['mx; dkim=pass header.d=evil.example'],
    ['mx; dkim=pass header.d=com'],
    ['mx; spf=pass smtp.mailfrom=a@evil.example'],
    ['mx; spf=pass smtp.helo=evil.example; spf=none smtp.mailfrom=mail.example.com'],
    ['mx; spf=pass smtp.mailfrom=evil.example smtp.helo=mail.example.com'],
    ['mx; dkim=fail header.d=mail.example.com; spf=pass smtp.helo=evil.example'],
    ['mx; spf=pass smtp.mailfrom=a@evilmail.example.com'],
    ['mx; spf=fail (; dmarc=pass header.from=mail.example.com) smtp.mailfrom=x.org'],
    ['mx; spf=fail (a (b) ; dmarc=pass ) smtp.mailfrom=x.org'],
    ['mx; dmarc=fail', 'evil; dmarc=pass'],
    ['mx; spf=pass smtp.mailfrom="mail.example.com ("@evil.example; dmarc=fail'],
    ['mx; spf=pass smtp.mailfrom="a; dmarc=pass ("@evil.example; dmarc=fail'],
    ['mx; spf=pass smtp.mailfrom="a\\"; dmarc=pass \\""@evil.example'],
    ['mx; spf=pass (of "a); dmarc=pass ("@evil.example) smtp.mailfrom=evil.example; dmarc=none'],
    ['mx; spf=pass smtp.mailfrom=mail.example.com (; dmarc=fail'],
    ['mx; spf=pass smtp.mailfrom=mail.example.com "; dmarc=fail'],
  ])('is taken for forged with %j', async (results) => {
    expect(await refuted(...results)).toBe(true);
  });

  test('decides whether a mail shows estimates; a reply to a mail of ours always does', async ({
    service,
  }) => {
    const contactId = await newContact(service, { email: 'ada@example.com' });
    const status = async () =>
      (await service.call(`GET /api/v1/booking/estimates?contactId=${contactId}`)).status;
    const forged = { 'Authentication-Results': 'mx; dmarc=fail' };
    await arrives(service, fromAda({ ...forged, 'Message-ID': '<forged@example.com>' }));
    // The forger knows the id of the first mail.
    await arrives(service, fromAda({ ...forged, 'In-Reply-To': '<forged@example.com>' }));
    expect(await status()).toBe(404);
    await arrives(service, fromAda());
    expect(await status()).toBe(200);

    await service.database.rows('update messages set is_unproven = true');
    expect(await status()).toBe(404);
    const sent = await sentTo(service);
    const replyTo = { 'In-Reply-To': messageIdOf(sent, 'a@harbour.example') };
    await arrives(service, fromAda({ ...forged, ...replyTo }));
    expect(await status()).toBe(200);
  });
});

/** Stores an automatic message to the contact in its thread and returns its id. */
async function sentTo({ database, subAccountId }: TestService): Promise<string> {
  const id = '0192f7c4-5b1e-7c3a-9d42-29468088e7f1';
  await database.rows(
    `insert into messages (sub_account_id, id, conversation_id, channel, direction, body_text,
       status, is_automatic, created_at)
     select $1, $2, id, 'email', 'outbound', 'Hello', 'sent', true, now()
     from conversations where sub_account_id = $1`,
    [subAccountId, id],
  );
  return id;
}
