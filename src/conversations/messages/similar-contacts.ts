import { HOUR_MS } from '#lib/duration.ts';
import { firstIdAt } from '#lib/id.ts';
import type { View } from '#core/work.ts';

/** Contacts that may be one program. */
export interface SimilarContacts {
  /** The contact, and those whose addresses differ from its address only by the tag after `+`. */
  readonly sameMailbox: readonly string[];
  /**
   * Contacts of its mail domain that were created within the last hour and have written a mail, as the
   * contact itself. Empty if it is older or has not written, and for large mail providers.
   */
  readonly newOfDomain: readonly string[];
}

/** Large providers: many new customers have an address there, and no program gets a new one for each mail. */
const MAIL_PROVIDERS = [
  'aol.com',
  'free.fr',
  'gmail.com',
  'gmx.at',
  'gmx.ch',
  'gmx.de',
  'gmx.net',
  'googlemail.com',
  'hotmail.com',
  'icloud.com',
  'libero.it',
  'live.com',
  'mac.com',
  'mail.ru',
  'me.com',
  'msn.com',
  'orange.fr',
  'outlook.com',
  'proton.me',
  'protonmail.com',
  'qq.com',
  't-online.de',
  'web.de',
  'yahoo.com',
  'yahoo.co.uk',
  'yandex.ru',
];

/** A ticket system may write from a new address per ticket, which is a new contact each time. */
export async function similarContacts(view: View, contactId: string): Promise<SimilarContacts> {
  const values = [view.subAccountId, contactId, idAnHourAgo(view), MAIL_PROVIDERS];
  const [found] = await view.rows<SimilarContacts>(SIMILAR, values);
  return found ?? { sameMailbox: [contactId], newOfDomain: [] };
}

/** Returns the smallest id of the last hour. */
export const idAnHourAgo = ({ now }: View): string => firstIdAt(new Date(now.getTime() - HOUR_MS));

/** An address without its tag. The index `contact_emails_tagged` has the same text. */
const withoutTag = (email: string): string =>
  `regexp_replace(${email}, '^([^+@]+)[+][^@]*@', '\\1@')`;

const domainOf = (email: string): string => `split_part(lower(${email}), '@', 2)`;

const hasWritten = (contactId: string): string => `exists (
    select from conversations v
    join messages m on m.sub_account_id = $1 and m.conversation_id = v.id
    where v.sub_account_id = $1 and v.contact_id = ${contactId} and v.channel in ('email', 'gmail')
      and m.direction = 'inbound')`;

const SIMILAR = `with this as materialized (
    select c.id, ${withoutTag('lower(c.email)')} as mailbox, ${domainOf('c.email')} as domain,
      c.id >= $3 and ${domainOf('c.email')} <> all ($4::text[]) and ${hasWritten('c.id')} as "isNew"
    from contacts c
    where c.sub_account_id = $1 and c.id = $2
  )
  select array(
      select this.id
      union select e.contact_id from contact_emails e
        where e.sub_account_id = $1 and e.email = this.mailbox
      union select e.contact_id from contact_emails e
        where e.sub_account_id = $1 and e.email like '%+%'
          and ${withoutTag('e.email')} = this.mailbox
    ) as "sameMailbox",
    array(
      select c.id from contacts c
      where this."isNew" and c.sub_account_id = $1 and c.id >= $3
        and ${domainOf('c.email')} = this.domain and ${hasWritten('c.id')}
    ) as "newOfDomain"
  from this`;
