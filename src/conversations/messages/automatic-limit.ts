import type { View } from '#core/work.ts';
import type { Channel } from '../../contacts/channels.ts';
import { isMail } from '../threads/conversation.schema.ts';
import { idAnHourAgo, similarContacts, type SimilarContacts } from './similar-contacts.ts';

/**
 * The automatic messages to a contact by one channel in an hour, and the notices of workflows about it,
 * before workflows send no more: another program, such as an auto-responder, may answer them without end.
 */
const CONTACT_MAX = 20;
/** The same for all new senders of a mail domain together: popular providers have many. */
const DOMAIN_MAX = 60;

/** Returns how many there were for these contacts in the last hour, up to the maximum. */
export type CountOf = (contactIds: readonly string[], max: number) => Promise<number>;

/** Returns why a contact gets no further automatic message on the channel; undefined if it may. */
export async function automaticRefusal(
  view: View,
  contactId: string,
  channel: Channel,
): Promise<string | undefined> {
  // Visitors of the widget are limited by their address.
  if (channel === 'live_chat') {
    return undefined;
  }
  const similar = isMail(channel)
    ? await similarContacts(view, contactId)
    : { sameMailbox: [contactId], newOfDomain: [] };
  const countOf: CountOf = async (ids, max) => {
    const values = [view.subAccountId, ids, channel, idAnHourAgo(view), max];
    const [row] = await view.rows<{ sent: number }>(SENT, values);
    return row?.sent ?? 0;
  };
  const bound = await reachedBound(similar, countOf);
  return (
    bound &&
    `${bound.contacts} got ${bound.max} automatic messages by ${channel} within an hour; ${PROBABLY}`
  );
}

/** Returns why the admins get no further notice about a contact; undefined if they may. */
export async function noticeRefusal(
  view: View,
  contactId: string,
  countOf: CountOf,
): Promise<string | undefined> {
  const bound = await reachedBound(await similarContacts(view, contactId), countOf);
  return (
    bound &&
    `the admins got ${bound.max} notices about ${bound.contacts} within an hour; ${PROBABLY}`
  );
}

const PROBABLY = 'probably another program answers them';

interface Bound {
  /** The contacts that have it together. */
  readonly contacts: string;
  readonly max: number;
}

async function reachedBound(
  { sameMailbox, newOfDomain }: SimilarContacts,
  countOf: CountOf,
): Promise<Bound | undefined> {
  if ((await countOf(sameMailbox, CONTACT_MAX)) >= CONTACT_MAX) {
    const contacts =
      sameMailbox.length > 1 ? 'contacts whose addresses differ only by a tag' : 'the contact';
    return { contacts, max: CONTACT_MAX };
  }
  if (newOfDomain.length > 1 && (await countOf(newOfDomain, DOMAIN_MAX)) >= DOMAIN_MAX) {
    return { contacts: 'new contacts of one mail domain', max: DOMAIN_MAX };
  }
  return undefined;
}

const SENT = `select count(*)::int as sent from (
    select from conversations v
    join messages m on m.sub_account_id = $1 and m.conversation_id = v.id
    where v.sub_account_id = $1 and v.contact_id = any($2::uuid[]) and v.channel = $3
      and m.id >= $4 and m.direction = 'outbound' and m.is_automatic
    limit $5
  ) as automatic`;
