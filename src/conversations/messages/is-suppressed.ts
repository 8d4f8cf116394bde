import type { DoNotDisturb } from '../../contacts/contact.entity.ts';
import type { Channel } from '../../contacts/channels.ts';

/** Whether a contact may be sent messages by a channel. */
export interface Suppression {
  readonly channel: Channel;
  readonly dnd: DoNotDisturb;
  /** An opt-out covers one of the contact's addresses, or the address of the message. */
  readonly isOptedOut: boolean;
}

export const isSuppressed = ({ channel, dnd, isOptedOut }: Suppression): boolean =>
  isOptedOut || dnd['all'] === true || dnd[channel] === true;

/**
 * SQL for `isOptedOut` of contact `c` in conversation `v` of sub-account `$1`. Opt-outs of `email` cover
 * gmail, too.
 */
export const optedOut = (address: string): string => `exists (
      select from opt_outs o
      where o.sub_account_id = $1 and (o.address = any(c.addresses) or o.address = ${address})
        and o.channel = case v.channel when 'gmail' then 'email' else v.channel end
    )`;
