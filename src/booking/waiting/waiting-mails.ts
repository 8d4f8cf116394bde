import type { Work } from '#core/work.ts';
import type { Offer } from '../../calendars/offers.ts';
import { slotLabel } from '../../calendars/slots/slot-label.ts';
import { isSuppressed, optedOut } from '../../contacts/consent/suppressions.ts';
import type { DoNotDisturb } from '../../contacts/contact.entity.ts';
import { carrierOf } from '../../conversations/channels/channel.store.ts';
import { writeMessage } from '../../conversations/messages/write-message.ts';
import { openConversation } from '../../conversations/threads/open-conversation.ts';
import { brandedMail } from '../notices/branded-mail.ts';
import { formatTime } from '../pages/format-time.ts';
import { languageOf, type BookingLanguage } from '../pages/layout.ts';
import { brandOf, hostOf } from '../public/public-offers.ts';

interface PlaceNotice {
  readonly contactId: string;
  /** The person's time zone. */
  readonly timezone: string;
  readonly link: string;
}

interface OfferNotice extends PlaceNotice {
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
  return writeMail(work, contactId, ({ messages, locale }) => {
    const when = slotLabel(start, timezone, locale);
    const until = slotLabel(expiresAt.getTime(), timezone, locale);
    return {
      subject: messages.offerSubject(type.name),
      bodyText: messages.offerBody({ what: type.name, when, until, link }),
    };
  });
}

interface JoinedNotice extends PlaceNotice {
  /** An instant of the day that the person waits for, in epoch milliseconds. */
  readonly from: number;
}

/** Writes the mail with the link of a new place. Returns the reason if the person cannot be written to. */
export const writeJoined = (
  work: Work,
  { type: { name } }: Offer,
  { contactId, timezone: zone, link, from }: JoinedNotice,
): Promise<string | undefined> =>
  writeMail(work, contactId, ({ messages, locale }) => {
    const day = formatTime('day', from, { locale, zone });
    return {
      subject: messages.joinedSubject(name),
      bodyText: messages.joinedBody({ what: name, day, link }),
    };
  });

interface Mail {
  readonly subject: string;
  readonly bodyText: string;
}

async function writeMail(
  work: Work,
  contactId: string,
  mailIn: (language: BookingLanguage) => Mail,
): Promise<string | undefined> {
  const [recipient] = await work.rows<Recipient>(RECIPIENT, [work.subAccountId, contactId]);
  const reason = await reasonAgainst(work, recipient);
  if (reason !== undefined) {
    return reason;
  }
  const host = await hostOf(work);
  const language = languageOf(host.locale, host.languages);
  const mail = mailIn(language);
  const bodyHtml = brandedMail(brandOf(host), mail.bodyText, language.locale);
  const { id } = await openConversation(work, { contactId, channel: 'email' });
  const message = { channel: 'email', ...mail, ...(bodyHtml && { bodyHtml }) } as const;
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
