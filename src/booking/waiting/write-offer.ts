import type { Work } from '#core/work.ts';
import type { Offer } from '../../calendars/offers.ts';
import { slotLabel } from '../../calendars/slots/slot-label.ts';
import { isSuppressed, optedOut } from '../../contacts/consent/suppressions.ts';
import type { DoNotDisturb } from '../../contacts/contact.entity.ts';
import { carrierOf } from '../../conversations/channels/channel.store.ts';
import { writeMessage } from '../../conversations/messages/write-message.ts';
import { openConversation } from '../../conversations/threads/open-conversation.ts';
import { brandedMail } from '../notices/branded-mail.ts';
import { languageOf } from '../pages/layout.ts';
import { brandOf, hostOf } from '../public/public-offers.ts';

interface OfferNotice {
  readonly contactId: string;
  /** The person's time zone. */
  readonly timezone: string;
  readonly link: string;
  /** Epoch milliseconds. */
  readonly start: number;
  readonly expiresAt: Date;
}

interface Recipient {
  readonly email: string | null;
  readonly dnd: DoNotDisturb;
  readonly isOptedOut: boolean;
}

/**
 * Writes the mail with the link of an offer, as a message of the person's conversation; a job sends it.
 * Returns the reason if the person cannot be written to.
 */
export async function writeOffer(
  work: Work,
  { type }: Offer,
  { contactId, timezone, link, start, expiresAt }: OfferNotice,
): Promise<string | undefined> {
  const [recipient] = await work.rows<Recipient>(RECIPIENT, [work.subAccountId, contactId]);
  const reason = await reasonAgainst(work, recipient);
  if (reason !== undefined) {
    return reason;
  }
  const host = await hostOf(work);
  const { messages, locale } = languageOf(host.locale, host.languages);
  const when = slotLabel(start, timezone, locale);
  const until = slotLabel(expiresAt.getTime(), timezone, locale);
  const bodyText = messages.offerBody({ what: type.name, when, until, link });
  const bodyHtml = brandedMail(brandOf(host), bodyText, locale);
  const { id } = await openConversation(work, { contactId, channel: 'email' });
  const subject = messages.offerSubject(type.name);
  const message = { channel: 'email', subject, bodyText, ...(bodyHtml && { bodyHtml }) } as const;
  await writeMessage(work, id, message, { isAutomatic: true });
  return undefined;
}

async function reasonAgainst(
  work: Work,
  recipient: Recipient | undefined,
): Promise<string | undefined> {
  if (!recipient?.email) {
    return 'the contact has no email address';
  }
  if (isSuppressed({ channel: 'email', ...recipient })) {
    return 'the contact has opted out or is set to do not disturb';
  }
  const carrier = await carrierOf(work, 'email');
  return carrier === undefined ? 'no provider is set up for email' : undefined;
}

const RECIPIENT = `select c.email, c.dnd, ${optedOut('null::text')} as "isOptedOut"
  from contacts c cross join (values ('email'::text)) as v (channel)
  where c.sub_account_id = $1 and c.id = $2 and c.deleted_at is null`;
