import type { Mailbox, LeaseHolder } from './mailbox.store.ts';
import type { ChannelSetup } from '../channels/channel.store.ts';
import type { Secrets } from '#core/secrets.ts';
import type { Transact, View } from '#core/work.ts';
import type { Logger } from '#platform/config/logger.ts';
import type { Database } from '#platform/database/database.ts';

export interface MailboxTools {
  readonly database: Pick<Database, 'rows'>;
  readonly openView: (subAccountId: string, now: Date) => View;
  readonly transact: Transact;
  readonly clock: () => Date;
  readonly secrets: Secrets;
  /** CIDRs of private networks that sub-accounts may name all the same. */
  readonly outboundAllow: readonly string[];
  readonly log: Logger;
}

/** A mailbox while it is read. */
export interface MailboxSession {
  readonly mailbox: Mailbox;
  readonly holder: LeaseHolder;
  readonly setup: ChannelSetup;
  /** How often the server refused to hand out a mail, by UID. */
  readonly refused: Map<number, number>;
  /** Called whenever something was dealt with. */
  readonly onProgress: () => void;
  /** For the log. */
  readonly named: { readonly subAccountId: string; readonly host: string };
}
