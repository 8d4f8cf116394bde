import type { DoNotDisturb } from '../../contacts/contact.entity.ts';
import type { Channel } from '../../contacts/channels.ts';

/** What says whether a contact may be written to by a channel. */
export interface Suppression {
  readonly channel: Channel;
  readonly dnd: DoNotDisturb;
  /** The consent ledger closes the channel to one of his addresses, or to the one that is written to. */
  readonly isOptedOut: boolean;
}

export const isSuppressed = ({ channel, dnd, isOptedOut }: Suppression): boolean =>
  isOptedOut || dnd['all'] === true || dnd[channel] === true;

/**
 * SQL for `isOptedOut` of contact `c` in conversation `v` of sub-account `$1`. A mail is a mail: what
 * is said of `email` in the ledger holds for gmail.
 */
export const optedOut = (address: string): string => `exists (
      select from opt_outs o
      where o.sub_account_id = $1 and (o.address = any(c.addresses) or o.address = ${address})
        and o.channel = case v.channel when 'gmail' then 'email' else v.channel end
    )`;
