import { inOneLine, senderOf } from '#platform/mail/mailer.ts';
import type { ChannelSetup } from '../channels/channel.store.ts';
import { messageIdOf, replyAddress } from '../mailbox/mail-thread.ts';
import type { Attachment } from '../messages/insert-message.ts';
import type { Outgoing } from './provider.ts';

interface ComposedMail {
  readonly envelope: { readonly from: string; readonly to: string };
  /** The complete MIME mail. */
  readonly mail: Buffer;
  readonly messageId: string;
}

/** Composes a message as a mail. */
export async function composeMail(
  setup: Pick<ChannelSetup, 'settings'>,
  message: Outgoing,
): Promise<ComposedMail> {
  // On demand: processes that send no mail never load nodemailer.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const options = mailOptions(setup, message);
  const { message: mail, envelope } = await transport.sendMail(options);
  return {
    envelope: { from: envelope.from || '', to: envelope.to[0] ?? '' },
    mail: mail as Buffer,
    messageId: options.messageId,
  };
}

/** A message as nodemailer takes it. Every attempt has the same Message-ID. */
export function mailOptions({ settings }: Pick<ChannelSetup, 'settings'>, message: Outgoing) {
  const { id, toAddress, subject, bodyText, bodyHtml, thread, autoSubmitted } = message;
  const attachments = attachmentsOf(message);
  const from = senderOf(String(settings['from']));
  const replyTo = settings['replyTo'];
  return {
    from,
    // An object: nodemailer would read a string as a list of addresses.
    to: { name: '', address: toAddress ?? '' },
    subject: inOneLine(subject ?? ''),
    ...(bodyText !== null && { text: bodyText }),
    ...(bodyHtml !== null && { html: bodyHtml }),
    messageId: messageIdOf(id, from.address),
    ...(thread && { inReplyTo: thread.inReplyTo, references: [...thread.references] }),
    ...(typeof replyTo === 'string' && { replyTo: replyToOf(replyTo, id) }),
    ...(autoSubmitted && { headers: { 'Auto-Submitted': autoSubmitted } }),
    ...(attachments.length > 0 && { attachments }),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

const attachmentsOf = ({ attachment, files = [] }: Outgoing) => [
  ...(attachment ? [fileOf(attachment)] : []),
  ...files.map(({ name, type, content = Buffer.alloc(0) }) => fileOf({ name, type, content })),
];

const fileOf = ({
  name: filename,
  type: contentType,
  content,
}: Omit<Attachment, 'content'> & { readonly content: string | Buffer }) => {
  return { filename, contentType, content };
};

function replyToOf(replyTo: string, id: string) {
  const { name, address } = senderOf(replyTo);
  return { name, address: replyAddress(address, id) };
}
