import { defineEntity, p } from '@mikro-orm/core';

const MailboxPositionTable = defineEntity({
  name: 'MailboxPosition',
  tableName: 'mailboxes',
  properties: {
    subAccountId: p.uuid().primary(),
    id: p.uuid().primary(),
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
  },
});

/** How far the mailbox of a channel is read, and which worker reads it. */
export class MailboxPosition extends MailboxPositionTable.class {
  static readonly foreignKeys = [
    '(sub_account_id, id) references channels (sub_account_id, id) on delete cascade',
  ];
}
MailboxPositionTable.setClass(MailboxPosition);
