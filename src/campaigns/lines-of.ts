import { findMailServer, serverOf } from '../conversations/mail-server.ts';
import type { ChannelSetup } from '../conversations/read-channel.ts';
import { openLines, type SmtpLines } from './smtp-lines.ts';

/** Connections to a mail server, apart from those of single messages, which never wait behind a campaign. */
export const LINES = 10;
const FIRST_ADDRESS = 1;

interface Kept {
  readonly version: number;
  readonly lines: SmtpLines;
}

/** By channel and address, for as long as the process lives; idle ones hold no connection. */
const kept = new Map<string, Kept>();

/** Why there are none: `stuck` waits for a person. */
export interface NoLines {
  readonly result: 'again' | 'stuck';
  readonly errorCode: string;
  readonly errorMessage: string;
}

/** The connections to the mail server of a channel, at an address that a sub-account may name. */
export async function linesOf(
  setup: ChannelSetup,
  allow: readonly string[],
): Promise<{ readonly lines: SmtpLines } | NoLines> {
  const found = await findMailServer(String(setup.settings['host']), allow, FIRST_ADDRESS);
  if ('result' in found) {
    const { errorCode, errorMessage } = found;
    return { result: found.result === 'again' ? 'again' : 'stuck', errorCode, errorMessage };
  }
  const place = `${setup.id}/${found.address}`;
  const version = setup.updatedAt.getTime();
  const known = kept.get(place);
  if (known?.version === version) {
    return { lines: known.lines };
  }
  known?.lines.close();
  const { host, port, secure, tls, auth } = serverOf(setup, found.address);
  const server = { host, port, secure, ...(tls && { tls }), ...(auth && { auth }) };
  const lines = openLines(server, LINES);
  kept.set(place, { version, lines });
  return { lines };
}
