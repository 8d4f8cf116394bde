import { inOneLine, senderOf } from '#platform/mail/mailer.ts';
import type { Outgoing } from '../providers/provider.ts';
import type { Attachment } from '../messages/insert-message.ts';
import type { ChannelSetup } from '../channels/read-channel.ts';
import { messageIdOf } from './message-id.ts';
import { replyAddress } from './reply-token.ts';

/** A message as nodemailer takes it. Another attempt at it has the same Message-ID. */
export function mailOf({ settings }: Pick<ChannelSetup, 'settings'>, message: Outgoing) {
  const { id, toAddress, subject, bodyText, bodyHtml, thread, attachment, isAutomatic } = message;
  const from = senderOf(String(settings['from']));
  const replyTo = settings['replyTo'];
  return {
    from,
    // As an object, so that no address is read as a list of several.
    to: { name: '', address: toAddress ?? '' },
    subject: inOneLine(subject ?? ''),
    ...(bodyText !== null && { text: bodyText }),
    ...(bodyHtml !== null && { html: bodyHtml }),
    messageId: messageIdOf(id, from.address),
    ...(thread && { inReplyTo: thread.inReplyTo, references: [...thread.references] }),
    ...(typeof replyTo === 'string' && { replyTo: replyToOf(replyTo, id) }),
    ...(isAutomatic && { headers: { 'Auto-Submitted': 'auto-generated' } }),
    ...(attachment && { attachments: [fileOf(attachment)] }),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

const fileOf = ({ name: filename, type: contentType, content }: Attachment) => {
  return { filename, contentType, content };
};

function replyToOf(replyTo: string, id: string) {
  const { name, address } = senderOf(replyTo);
  return { name, address: replyAddress(address, id) };
}
