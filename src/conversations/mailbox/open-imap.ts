import { isIP } from 'node:net';
import type { ImapFlow } from 'imapflow';
import { isPublic } from '#platform/outbound/guard.ts';
import { findMailServer } from '../providers/find-mail-server.ts';
import type { MailboxAccount } from './mailbox-account.ts';

export const MAIL_MAX_BYTES = 25 * 1024 * 1024;
/** Servers are not exact about sizes. */
const LITERAL_MAX_BYTES = 2 * MAIL_MAX_BYTES;
const LINE_MAX_BYTES = 16 * 1024 * 1024;
const CONNECT_TIMEOUT_MS = 15_000;
const GREETING_TIMEOUT_MS = 15_000;
/** Of silence; a mailbox is asked for news more often. */
const SOCKET_TIMEOUT_MS = 120_000;

interface Opening {
  readonly allow: readonly string[];
  readonly attempt: number;
  /** Breaks the connection off, whatever it is doing. */
  readonly signal: AbortSignal;
}

/**
 * Logs in at a checked address; each further attempt takes the next one of a name with several. The
 * password goes over TLS, unless a server of the operator's own network has none.
 */
export async function openImap(
  account: MailboxAccount,
  { allow, attempt, signal }: Opening,
): Promise<ImapFlow> {
  const { host, port, secure, user, password } = account;
  const found = await findMailServer(host, allow, attempt);
  if ('result' in found) {
    throw new Error(found.errorMessage);
  }
  const { ImapFlow: Client } = await import('imapflow');
  const client = new Client({
    host: found.address,
    port,
    secure,
    ...(!secure && isPublic(found.address) && { doSTARTTLS: true }),
    // The certificate is checked for the name that was given.
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
    maxLiteralSize: LITERAL_MAX_BYTES,
    maxResponseSize: LITERAL_MAX_BYTES + LINE_MAX_BYTES,
  });
  // What breaks is told by whatever waits for it.
  client.on('error', () => undefined);
  const hangUp = () => client.close();
  signal.addEventListener('abort', hangUp);
  client.on('close', () => signal.removeEventListener('abort', hangUp));
  try {
    signal.throwIfAborted();
    await client.connect();
    return client;
  } catch (error) {
    client.close();
    throw error;
  }
}
