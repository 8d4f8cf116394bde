import { inOneLine, withoutAddresses } from '#platform/mailer.ts';

/** What came of handing a mail over. */
export type SmtpOutcome =
  | { readonly result: 'sent' }
  | (Failure & {
      /**
       * `again` may go better later; `refused` never does; of `unknown` nobody knows whether the
       * server took it; `stuck` is no fault of the mail: none would go.
       */
      readonly result: 'again' | 'refused' | 'unknown' | 'stuck';
      /** There is nobody at the address. */
      readonly isDeadAddress?: boolean;
      /** The server was not got at: it says nothing about the mail, nor about the next one. */
      readonly isUnreached?: boolean;
    });

interface Failure {
  readonly errorCode: string;
  readonly errorMessage: string;
}

export interface SmtpError extends Error {
  readonly code?: string;
  readonly command?: string;
  readonly response?: string;
  readonly responseCode?: number;
}

/** What the mail itself is to blame for, and no server was asked. */
const LASTING = new Set(['EENVELOPE', 'EMESSAGE', 'ESTREAM']);
const NO_ENTRY = new Set(['EAUTH', 'ENOAUTH']);
const SAID_MAX = 500;

/**
 * Reads an error of SMTP. Once the server had begun to take the mail, a connection that breaks off
 * without an answer leaves open whether it went out.
 */
export function outcomeOf(error: SmtpError, isTaking: boolean): SmtpOutcome {
  const { message, code, command, response, responseCode } = error;
  const errorMessage = inOneLine(withoutAddresses(message)).slice(0, SAID_MAX);
  const errorCode = responseCode === undefined ? (code ?? 'network') : String(responseCode);
  const failure = { errorCode, errorMessage };
  if (NO_ENTRY.has(code ?? '')) {
    const isLater = responseCode !== undefined && responseCode < 500;
    return { result: isLater ? 'again' : 'stuck', ...failure };
  }
  if (responseCode === undefined) {
    if (isTaking) {
      return { result: 'unknown', ...failure };
    }
    return { result: LASTING.has(code ?? '') ? 'refused' : 'again', ...failure };
  }
  if (responseCode < 500 || !isAboutTheMail(command)) {
    return { result: 'again', ...failure };
  }
  const isDeadAddress = command === 'RCPT TO' && DEAD_ADDRESS.test(response ?? '');
  return { result: 'refused', ...failure, isDeadAddress };
}

/** The same of an error on the way in. */
export function outcomeOfEntry(error: SmtpError): SmtpOutcome {
  const outcome = outcomeOf(error, false);
  return outcome.result === 'again' ? { ...outcome, isUnreached: true } : outcome;
}

/** A server that turns the whole connection away says nothing about one mail. */
const isAboutTheMail = (command = ''): boolean =>
  command === 'MAIL FROM' || command === 'RCPT TO' || command === 'DATA';

/** RFC 3463: a lasting failure of the address. */
const DEAD_ADDRESS = /^5\d\d[ -]5\.1\.\d/m;
