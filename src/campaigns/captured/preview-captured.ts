import type { View } from '#core/work.ts';
import {
  previewForAudience,
  type PreviewChoice,
  type PreviewedMail,
} from '../compose/preview-for-audience.ts';
import { findCapturedMails, type LinkContext } from './find-captured-mails.ts';

/**
 * Returns a campaign's mail for a contact, and the captured one where a sandbox has captured it: with its
 * address and working links. Throws NOT_FOUND.
 */
export async function previewOrCaptured(
  view: View,
  links: LinkContext,
  campaignId: string,
  choice: PreviewChoice,
): Promise<PreviewedMail> {
  const preview = await previewForAudience(view, campaignId, choice);
  const { contactId } = choice;
  if (contactId === undefined || choice.withoutName) {
    return preview;
  }
  const [recipient] = await view.rows<{ id: string }>(SENT, [
    view.subAccountId,
    campaignId,
    contactId,
  ]);
  const [mail] = recipient
    ? await findCapturedMails(view, links, { limit: 1, id: recipient.id })
    : [];
  return mail
    ? {
        ...preview,
        subject: mail.subject ?? '',
        html: mail.bodyHtml ?? '',
        text: mail.bodyText ?? '',
        contact: { ...preview.contact, email: mail.toAddress },
      }
    : preview;
}

const SENT = `select id from campaign_recipients
  where sub_account_id = $1 and campaign_id = $2 and contact_id = $3 and status = 'sent'`;
