import { isoText } from '#core/schema/columns.ts';
import { mergedHtml, mergedSubject, mergedText } from '#lib/merge-fields.ts';
import type { Secrets } from '#core/secrets.ts';
import type { View } from '#core/work.ts';
import { customValuesOf } from '../../accounts/sub-accounts/sub-account.store.ts';
import { mergeValuesOf } from '../../contacts/contact.store.ts';
import { channelSender } from '../../conversations/channels/channel.store.ts';
import type { CapturedMessage } from '../../conversations/messages/find-captured.ts';
import { linksOf, UNSUBSCRIBE } from '../compose/campaign-links.ts';
import { htmlOf, textOf, UNSUBSCRIBE_FIELD, type Wording } from '../compose/compile-mail.ts';

/** A campaign mail that a sandbox captures instead of sending it. */
export interface CapturedMail extends Omit<CapturedMessage, 'conversationId' | 'status'> {
  readonly conversationId: null;
  readonly campaignId: string;
  readonly status: 'sent';
}

interface Row extends Wording {
  readonly id: string;
  readonly campaignId: string;
  readonly toAddress: string;
  readonly createdAt: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly company: string | null;
}

/** What the links in captured mails are made of. */
export interface LinkContext {
  readonly secrets: Secrets;
  readonly baseUrl: string;
}

/** The newest ones, or the one with this id. */
export interface CapturedQuery {
  readonly limit: number;
  readonly id?: string;
}

/**
 * Returns captured mails, newest first, merged with the current contacts; none outside a sandbox.
 * Their unsubscribe links work.
 */
export async function findCapturedMails(
  view: View,
  { secrets, baseUrl }: LinkContext,
  { limit, id: wanted }: CapturedQuery,
): Promise<CapturedMail[]> {
  const { subAccountId } = view;
  const rows = await view.rows<Row>(CAPTURED, [subAccountId, limit, wanted ?? null]);
  const linkOf = linksOf(UNSUBSCRIBE, secrets, baseUrl);
  const customValues = await customValuesOf(view);
  const fromAddress = await channelSender(view, 'email');
  const bodies = new Map<string, { readonly html: string; readonly text: string }>();
  return rows.map(({ id, campaignId, toAddress, createdAt, ...row }) => {
    const body = bodies.get(campaignId) ?? { html: htmlOf(row), text: textOf(row) };
    bodies.set(campaignId, body);
    const values = {
      ...mergeValuesOf(row, customValues),
      [UNSUBSCRIBE_FIELD]: linkOf({ subAccountId, id }),
    };
    return {
      id,
      conversationId: null,
      campaignId,
      channel: 'email',
      fromAddress,
      toAddress,
      subject: mergedSubject(row.subject, values),
      bodyText: mergedText(body.text, values),
      bodyHtml: mergedHtml(body.html, values),
      status: 'sent',
      attachment: null,
      attachments: [],
      createdAt,
    };
  });
}

const CAPTURED = `select r.id, r.campaign_id as "campaignId", r.email as "toAddress",
    ${isoText('r.settled_at')} as "createdAt", p.subject, p.preheader,
    p.content_html as "contentHtml", p.layout_html as "layoutHtml",
    c.first_name as "firstName", c.last_name as "lastName", c.email, c.phone, c.company
  from sub_accounts a
  join campaign_recipients r on r.sub_account_id = a.id and r.status = 'sent'
  join campaigns p on p.sub_account_id = a.id and p.id = r.campaign_id
  join contacts c on c.sub_account_id = a.id and c.id = r.contact_id
  where a.id = $1 and a.sandbox and ($3::uuid is null or r.id = $3)
  order by r.id desc limit $2`;
