import { inOneLine, SMTP_TIMEOUTS, withoutAddresses } from '#platform/mailer.ts';
import type { HandedOver, Provider } from './hand-over.ts';
import { mailOf } from './mail/mail-of.ts';
import { findMailServer, poolOf } from './mail-server.ts';

/** So many jobs may wait for the pool of one channel, each for its turn under `ratePerSecond`. */
const WAITING_MAX = 100;

/** Sends the message as a mail whose Message-ID is the same in every attempt. */
export const handToMailServer: Provider = async (setup, message, { settings, attempt, signal }) => {
  const found = await findMailServer(
    String(setup.settings['host']),
    settings.outboundAllow ?? [],
    attempt,
  );
  if ('result' in found) {
    return found;
  }
  const rate = setup.settings['ratePerSecond'];
  const turnMs = typeof rate === 'number' ? (WAITING_MAX / rate) * 1_000 : 0;
  const late = AbortSignal.timeout(SMTP_TIMEOUTS.totalMs + turnMs);
  const mail = mailOf(setup, message);
  try {
    const pool = await poolOf(setup, found.address);
    await pool.sendMail({ ...mail, signal: AbortSignal.any([late, signal]) });
    return { result: 'taken', externalId: mail.messageId };
  } catch (error) {
    return late.aborted ? TOO_LATE : outcomeOf(error as SmtpError);
  }
};

interface SmtpError extends Error {
  readonly code?: string;
  readonly command?: string;
  readonly response?: string;
  readonly responseCode?: number;
}

const TOO_LATE = {
  result: 'again',
  errorCode: 'ETIMEDOUT',
  errorMessage: 'the mail server did not take the message in time',
} as const;

/** What the mail itself or the setup is to blame for, and no server was asked. */
const LASTING = new Set(['EAUTH', 'ENOAUTH', 'EENVELOPE', 'EMESSAGE', 'ESTREAM']);

function outcomeOf({ message, code, command, response, responseCode }: SmtpError): HandedOver {
  const errorMessage = inOneLine(withoutAddresses(message));
  const errorCode = responseCode === undefined ? (code ?? 'network') : String(responseCode);
  const isRefused = responseCode === undefined ? LASTING.has(code ?? '') : responseCode >= 500;
  if (!isRefused) {
    return { result: 'again', errorCode, errorMessage };
  }
  const isDeadAddress = command === 'RCPT TO' && BAD_ADDRESS.test(response ?? '');
  return { result: 'refused', errorCode, errorMessage, isDeadAddress };
}

/** RFC 3463: a lasting failure of the address. */
const BAD_ADDRESS = /^5\d\d[ -]5\.1\.\d/m;
