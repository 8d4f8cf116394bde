import { newId } from '#lib/id.ts';
import { mailOptions } from '../../../src/conversations/providers/compose-mail.ts';
import {
  mailThreadOf,
  repliedTo,
  replyAddress,
} from '../../../src/conversations/mailbox/mail-thread.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';
import { newThread } from '../conversations.support.ts';

interface Written {
  readonly externalId?: string | null;
  readonly isInternal?: boolean;
}

/** Inserts a sent message into a conversation and returns its id. */
async function written(
  { database, subAccountId }: TestService,
  conversationId: string,
  { externalId = null, isInternal = false }: Written = {},
): Promise<string> {
  const id = newId(new Date());
  await database.rows(
    `insert into messages (sub_account_id, id, conversation_id, channel, direction, body_text,
       status, is_internal, external_id, created_at)
     values ($1, $2, $3, 'email', 'outbound', 'Hello', 'sent', $4, $5, now())`,
    [subAccountId, id, conversationId, isInternal, externalId],
  );
  return id;
}

const threadAt = ({ openView, subAccountId }: TestService, conversation: string, message: string) =>
  mailThreadOf(openView(subAccountId, new Date()), conversation, message);

describe('the headers of a thread', () => {
  test('are absent in its first mail', async ({ service }) => {
    const { id } = await newThread(service);
    const first = await written(service, id, { externalId: '<1@x>' });
    expect(await threadAt(service, id, first)).toBeUndefined();
  });

  test('refer to the previous mails, with the last one in In-Reply-To', async ({ service }) => {
    const { id } = await newThread(service);
    await written(service, id, { externalId: '<1@x>' });
    await written(service, id, { externalId: '<2@x>' });
    await written(service, id);
    await written(service, id, { externalId: '<note@x>', isInternal: true });
    for (const externalId of ['SM123', `<${'x'.repeat(300)}@x>`, '<ü@x>', '<a b@x>']) {
      await written(service, id, { externalId });
    }
    const mail = await written(service, id);
    await written(service, id, { externalId: '<later@x>' });
    expect(await threadAt(service, id, mail)).toEqual({
      inReplyTo: '<2@x>',
      references: ['<1@x>', '<2@x>'],
    });
  });

  test('contain the first and the last twenty mails of a long thread', async ({ service }) => {
    const { id } = await newThread(service);
    for (let n = 1; n <= 40; n += 1) {
      await written(service, id, { externalId: `<${n}@x>` });
    }
    const thread = await threadAt(service, id, await written(service, id));
    expect(thread?.inReplyTo).toBe('<40@x>');
    expect(thread?.references).toHaveLength(21);
    expect(thread?.references.slice(0, 2)).toEqual(['<1@x>', '<21@x>']);
  });
});

describe('a mail', () => {
  const message = {
    id: '0192f7c4-5b1e-7c3a-9d42-29468088e7f1',
    conversationId: '0192f7c4-5b1e-7c3a-9d42-29468088e7f2',
    toAddress: 'ada@example.com',
    subject: 'Your\r\nvisit',
    bodyText: 'Hello',
    bodyHtml: null,
  };

  test('has the same Message-ID in every attempt', () => {
    const settings = { from: 'Harbour <hello@harbour.example>', replyTo: null };
    const mail = mailOptions({ settings }, message);
    expect(mail).toMatchObject({
      messageId: `<${message.id}@harbour.example>`,
      subject: 'Your visit',
    });
    expect(mail).not.toHaveProperty('replyTo');
    expect(mail).not.toHaveProperty('inReplyTo');
    expect(mail).not.toHaveProperty('html');
  });

  test('has a reply address that identifies the reply', () => {
    const settings = { from: 'hello@harbour.example', replyTo: 'desk@reply.harbour.example' };
    const { replyTo } = mailOptions({ settings }, message);
    const address = 'desk+0192f7c45b1e7c3a9d4229468088e7f1@reply.harbour.example';
    expect(replyTo).toEqual({ name: '', address });
    expect(repliedTo(['x@y.example', address.toUpperCase()])).toBe(message.id);
  });

  test('with a long address for replies has no token in it', () => {
    const long = `${'x'.repeat(40)}@harbour.example`;
    expect(replyAddress(long, message.id)).toBe(long);
  });

  test('to an address without a token is not a reply', () => {
    for (const address of [
      'desk@harbour.example',
      'desk+news@harbour.example',
      `desk+${'0'.repeat(32)}@harbour.example`,
      `desk+0192f7c45b1e7c3a9d4229468088e7f1x@harbour.example`,
      '',
    ]) {
      expect(repliedTo([address])).toBeUndefined();
    }
  });
});
