import { notFound } from '#core/fault.ts';
import type { View } from '#core/work.ts';
import { isMail } from '../../conversations/threads/conversation.schema.ts';
import { messageIdOf } from '../../conversations/mailbox/mail-thread.ts';
import { findCaptured, type CapturedMessage } from '../../conversations/messages/find-captured.ts';
import { linksOf, CAPTURED, UNSUBSCRIBE } from '../compose/campaign-links.ts';
import { ONE_CLICK } from '../compose/compile-mail.ts';
import { findCapturedMails, type CapturedMail, type LinkContext } from './find-captured-mails.ts';

type Captured = CapturedMessage | CapturedMail;

/** A captured message with the headers of its mail, and the link to its page. */
export type ShownCaptured = Captured & {
  /** Empty for channels other than mail. */
  readonly headers: Readonly<Record<string, string>>;
  readonly previewUrl: string;
};

/** Returns one captured message of a sandbox. Throws NOT_FOUND. */
export async function readCaptured(
  view: View,
  id: string,
  links: LinkContext,
): Promise<ShownCaptured> {
  const query = { limit: 1, id };
  const [captured = (await findCapturedMails(view, links, query))[0]]: Captured[] =
    await findCaptured(view, query);
  if (!captured) {
    throw notFound('captured message');
  }
  const { secrets, baseUrl } = links;
  const subject = { subAccountId: view.subAccountId, id };
  return {
    ...captured,
    headers: isMail(captured.channel) ? headersOf(captured, links, subject.subAccountId) : {},
    previewUrl: linksOf(CAPTURED, secrets, baseUrl)(subject),
  };
}

/** Returns all files of a captured message: the calendar file first. */
export const filesOf = ({ attachment, attachments }: Captured) => [
  ...(attachment ? [{ ...attachment, size: Buffer.byteLength(attachment.content) }] : []),
  ...attachments,
];

/** Returns the headers that the mail would have. A sandbox may have no sender. */
function headersOf(
  { id, fromAddress, toAddress, subject, createdAt, ...captured }: Captured,
  { secrets, baseUrl }: LinkContext,
  subAccountId: string,
): Record<string, string> {
  const link = linksOf(UNSUBSCRIBE, secrets, baseUrl)({ subAccountId, id });
  return {
    ...(fromAddress !== null && { From: fromAddress }),
    ...(toAddress !== null && { To: toAddress }),
    Subject: subject ?? '',
    Date: new Date(createdAt).toUTCString().replace('GMT', '+0000'),
    'Message-ID': messageIdOf(id, fromAddress ?? new URL(baseUrl).hostname),
    ...('campaignId' in captured && {
      'List-Unsubscribe': `<${link}>`,
      'List-Unsubscribe-Post': ONE_CLICK,
      Precedence: 'bulk',
    }),
  };
}
