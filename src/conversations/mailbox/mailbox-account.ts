import type { ChannelSetup } from '../channels/read-channel.ts';

const TLS_PORT = 993;
const PLAIN_PORT = 143;

/** Where the mails of a channel are fetched from. */
export interface MailboxAccount {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; else the connection goes over to it. */
  readonly secure: boolean;
  readonly user: string;
  readonly password: string;
  readonly mailbox: string;
}

/** Undefined where the channel names no mailbox, or nobody to log in as. */
export function accountOf({ settings, secrets }: ChannelSetup): MailboxAccount | undefined {
  const imap = settings['imap'] as Partial<Record<string, unknown>> | null | undefined;
  const user = imap?.['user'] ?? settings['user'];
  if (!imap || typeof imap['host'] !== 'string' || typeof user !== 'string') {
    return undefined;
  }
  const secure = imap['secure'] ?? imap['port'] !== PLAIN_PORT;
  const port = imap['port'] ?? (secure === true ? TLS_PORT : PLAIN_PORT);
  return {
    host: imap['host'],
    port: Number(port),
    secure: secure === true,
    user,
    password: secrets['imapPassword'] ?? secrets['password'] ?? '',
    mailbox: typeof imap['mailbox'] === 'string' ? imap['mailbox'] : 'INBOX',
  };
}

/** Whose UIDs are counted: other ones mean something else elsewhere. */
export const placeOf = ({ user, host, port, mailbox }: MailboxAccount): string =>
  JSON.stringify([user, host.toLowerCase(), port, mailbox]);
