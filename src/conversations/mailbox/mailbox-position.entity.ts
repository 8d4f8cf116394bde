import { defineEntity, p } from '@mikro-orm/core';
import { recordKey } from '#platform/database/columns.ts';

const MailboxPositionTable = defineEntity({
  name: 'MailboxPosition',
  tableName: 'mailboxes',
  properties: {
    ...recordKey(),
    /** Server and user that the position belongs to; another one starts again from the beginning. */
    place: p.text().nullable(),
    uidValidity: p.bigint('number').nullable(),
    lastUid: p.bigint('number').defaultRaw('0'),
    /** Up to `historyUid`, mails from before this time are history and not read. */
    since: p.datetime().nullable(),
    historyUid: p.bigint('number').defaultRaw('0'),
    seenAt: p.datetime().nullable(),
    /** The worker that has the lease of this mailbox, until `heldUntil`. */
    holder: p.uuid().nullable(),
    heldUntil: p.datetime().nullable(),
    /** The mail that is being read, and the worker that began last. */
    readingUid: p.bigint('number').nullable(),
    readingBy: p.uuid().nullable(),
    /** How many workers began to read it and did not end. */
    starts: p.integer().default(0),
    /** Mails that were given up. */
    skipped: p.integer().default(0),
    /** When the last one was. */
    skippedAt: p.datetime().nullable(),
  },
});

/** How far the mailbox of a channel is read, and which worker reads it. */
export class MailboxPosition extends MailboxPositionTable.class {
  static readonly foreignKeys = [
    '(sub_account_id, id) references channels (sub_account_id, id) on delete cascade',
  ];
}
MailboxPositionTable.setClass(MailboxPosition);
