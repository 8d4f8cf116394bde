import type { FileStore } from '#core/files.ts';
import type { Secrets } from '#core/secrets.ts';
import type { Transact, View } from '#core/work.ts';
import type { Logger } from '#platform/config/logger.ts';
import type { Database } from '#platform/database/database.ts';
import type { ChannelSetup } from '../channels/channel.store.ts';
import type { LeaseHolder, Mailbox } from './mailbox.store.ts';

export interface MailboxTools {
  readonly database: Pick<Database, 'rows'>;
  readonly openView: (subAccountId: string, now: Date) => View;
  readonly transact: Transact;
  readonly clock: () => Date;
  readonly secrets: Secrets;
  readonly files: FileStore;
  /** CIDRs of private networks that sub-accounts may use. */
  readonly outboundAllow: readonly string[];
  readonly log: Logger;
}

/** An open mailbox. */
export interface MailboxSession {
  readonly mailbox: Mailbox;
  readonly holder: LeaseHolder;
  readonly setup: ChannelSetup;
  /** How often the server refused to send a mail, by UID. */
  readonly refused: Map<number, number>;
  /** Called after each handled mail. */
  readonly onProgress: () => void;
  /** Members of log lines. */
  readonly logFields: { readonly subAccountId: string; readonly host: string };
}
