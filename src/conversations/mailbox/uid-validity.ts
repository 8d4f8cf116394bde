import type { ImapFlow, MailboxObject } from 'imapflow';

/** What an opened mailbox says of its UIDs. */
export interface UidValidity {
  readonly uidValidity: bigint;
  /** Of the mail that comes next. */
  readonly uidNext: number;
}

/**
 * How the mails of an opened mailbox are numbered. A server need not tell the next number as it opens
 * the mailbox (RFC 3501, 7.1): then it is asked, and where it says nothing even so, that number is the
 * one behind its last mail.
 */
export async function uidValidityOf(
  client: ImapFlow,
  { path, exists, ...told }: Opened,
): Promise<UidValidity> {
  if (told.uidValidity === undefined) {
    throw new Error('the IMAP server gives its mails no lasting numbers (UIDVALIDITY)');
  }
  const asked = told.uidNext ? undefined : await client.status(path, { uidNext: true });
  const uidNext = told.uidNext || (asked && asked.uidNext) || (await behindLast(client, exists));
  return { uidValidity: told.uidValidity, uidNext };
}

/** As it is, and not as its type has it: nothing is there that the server did not tell. */
type Opened = Pick<MailboxObject, 'path' | 'exists'> &
  Partial<Pick<MailboxObject, 'uidValidity' | 'uidNext'>>;

async function behindLast(client: ImapFlow, exists: number): Promise<number> {
  if (exists === 0) {
    return 1;
  }
  const last = (await client.search({ uid: '*' }, { uid: true })) || [];
  if (last.length === 0) {
    throw new Error('the IMAP server does not tell the number of its last mail');
  }
  return Math.max(...last) + 1;
}
