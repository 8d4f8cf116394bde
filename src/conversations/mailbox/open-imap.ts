import { isIP } from 'node:net';
import type { ImapFlow } from 'imapflow';
import { inOneLine } from '#platform/mail/mailer.ts';
import { isPublic } from '#platform/outbound/guard.ts';
import { closeWhenFlooded, countBytes, throttle } from './throttle.ts';
import { findMailServer } from '../providers/find-mail-server.ts';
import { readChannel, type ChannelSetup } from '../channels/channel.store.ts';
import type { Secrets } from '#core/secrets.ts';
import type { View } from '#core/work.ts';

export const MAIL_MAX_BYTES = 25 * 1024 * 1024;
/** A mail is fetched in pieces of this size. */
export const PIECE_BYTES = 256 * 1024;
/**
 * The library reads a whole line at once, and needs 3 ms for 1 KiB of words. `UIDS_AT_ONCE` UIDs fit into
 * a line.
 */
const LINE_MAX_BYTES = 64 * 1024;
export const UIDS_AT_ONCE = 5_000;
/** Above the largest piece, with the words around it. */
const RESPONSE_MAX_BYTES = PIECE_BYTES + LINE_MAX_BYTES;
const CONNECT_TIMEOUT_MS = 15_000;
const GREETING_TIMEOUT_MS = 15_000;
/** Without any data; a mailbox is polled more often. */
const SOCKET_TIMEOUT_MS = 120_000;
const TLS_PORT = 993;
const PLAIN_PORT = 143;

interface OpenOptions {
  readonly allow: readonly string[];
  /** Counted from 1. */
  readonly attempt: number;
  /** Closes the connection at any time. */
  readonly signal: AbortSignal;
}

/**
 * Logs in at a checked address; each further attempt takes the name's next address. The password is sent
 * over TLS, unless the server is in the operator's own network and has none.
 */
export async function openImap(
  account: MailboxAccount,
  { allow, attempt, signal }: OpenOptions,
): Promise<ImapFlow> {
  const { host, port, secure, user, password } = account;
  const found = await findMailServer(host, allow, attempt);
  if ('result' in found) {
    throw new Error(found.errorMessage);
  }
  // On demand: only processes with a mailbox load it.
  const { ImapFlow: Client } = await import('imapflow');
  const client = new Client({
    host: found.address,
    port,
    secure,
    ...(!secure && isPublic(found.address) && { doSTARTTLS: true }),
    // The certificate is checked for the configured name.
    ...(isIP(host) === 0 && { servername: host }),
    auth: { user, pass: password },
    clientInfo: { name: 'Frontdesk' },
    logger: false,
    disableAutoIdle: true,
    disableCompression: true,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: GREETING_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    maxLineLength: LINE_MAX_BYTES,
    maxLiteralSize: PIECE_BYTES,
    maxResponseSize: RESPONSE_MAX_BYTES,
  });
  // A broken connection rejects the command that waits for it.
  client.on('error', () => undefined);
  const hangUp = () => client.close();
  signal.addEventListener('abort', hangUp);
  client.on('close', () => signal.removeEventListener('abort', hangUp));
  countBytes(client, signal);
  closeWhenFlooded(client);
  try {
    signal.throwIfAborted();
    await client.connect();
    return client;
  } catch (error) {
    client.close();
    await throttle(client);
    throw error;
  }
}

/** The IMAP account of a channel. */
export interface MailboxAccount {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; else STARTTLS. */
  readonly secure: boolean;
  readonly user: string;
  readonly password: string;
  readonly mailbox: string;
}

/** Returns undefined if the channel has no mailbox, or no user for it. */
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

/** Identifies the mailbox: UIDs are valid within it only. */
export const placeOf = ({ user, host, port, mailbox }: MailboxAccount): string =>
  JSON.stringify([user, host.toLowerCase(), port, mailbox]);

const PROBE_TIMEOUT_MS = 10_000;

interface ProbeOptions {
  readonly secrets: Secrets;
  /** CIDRs of private networks that sub-accounts may use. */
  readonly outboundAllow: readonly string[];
}

/** Opens and closes the mailbox of a sub-account as a worker would. Returns the reason of a failure. */
export async function probeMailbox(
  view: View,
  { secrets, outboundAllow }: ProbeOptions,
): Promise<string | undefined> {
  const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
  try {
    const setup = await readChannel(view, secrets, 'email');
    const account = setup && accountOf(setup);
    if (!account) {
      return 'no user is configured for it';
    }
    const client = await openImap(account, { allow: outboundAllow, attempt: 1, signal });
    try {
      await client.mailboxOpen(account.mailbox, { readOnly: true });
      return undefined;
    } finally {
      client.close();
    }
  } catch (error) {
    return signal.aborted ? `no response within ${PROBE_TIMEOUT_MS / 1_000} s` : reasonOf(error);
  }
}

/** The server's text if there is one: the library's message is "Command failed". */
export function reasonOf(error: unknown): string {
  const { responseText, message, code } = error as ImapFailure;
  return code === NOT_TLS
    ? 'the server does not speak TLS on this port: set secure or port of imap'
    : inOneLine((responseText ?? message).slice(0, REPLY_MAX));
}

/** A reply may be as long as a line. */
const REPLY_MAX = 500;

interface ImapFailure extends Error {
  readonly responseText?: string;
  readonly code?: string;
}

const NOT_TLS = 'ERR_SSL_WRONG_VERSION_NUMBER';
