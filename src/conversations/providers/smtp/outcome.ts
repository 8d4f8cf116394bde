import { inOneLine, withoutAddresses } from '#platform/mail/mailer.ts';

/** The result of sending a mail. */
export type SmtpOutcome =
  | { readonly result: 'sent' }
  | (Failure & {
      /**
       * `again`: the server did not accept the mail, but may accept another attempt. `refused`: it never
       * will. `unknown`: the text was sent and the server neither accepted nor refused it, such as when
       * the connection was lost: it may have accepted the mail. `stuck`: no mail of the channel can be sent.
       */
      readonly result: 'again' | 'refused' | 'unknown' | 'stuck';
      /** The mailbox does not exist. */
      readonly isDeadAddress?: boolean;
      /** The server was not reached: the failure says nothing about this mail, nor the next one. */
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

/** Errors of the mail itself, raised before it is sent to a server. */
const PERMANENT = new Set(['EENVELOPE', 'EMESSAGE', 'ESTREAM']);
const LOGIN_ERRORS = new Set(['EAUTH', 'ENOAUTH']);
const SAID_MAX = 500;
/** A server may reply with megabytes. */
const READ_MAX = 4 * SAID_MAX;

/**
 * Interprets an SMTP error, for messages and campaigns alike. `isTaking`: the server had replied to DATA
 * with 354, so only a final reply of 4yz or 5yz means that the mail was not accepted.
 */
export function outcomeOf(error: SmtpError, isTaking: boolean): SmtpOutcome {
  const { message, code, command, response, responseCode } = error;
  const said = withoutMailerPrefix(message.slice(0, READ_MAX));
  const errorMessage = inOneLine(withoutAddresses(said)).slice(0, SAID_MAX);
  const errorCode = responseCode === undefined ? (code ?? 'network') : String(responseCode);
  const failure = { errorCode, errorMessage };
  if (LOGIN_ERRORS.has(code ?? '')) {
    const isLater = responseCode !== undefined && responseCode < 500;
    return { result: isLater ? 'again' : 'stuck', ...failure };
  }
  if (isTaking && !isRefusal(responseCode)) {
    return { result: 'unknown', ...failure };
  }
  if (responseCode === undefined) {
    return { result: PERMANENT.has(code ?? '') ? 'refused' : 'again', ...failure };
  }
  if (responseCode < 500 || !isAboutTheMail(command)) {
    return { result: 'again', ...failure };
  }
  const isDeadAddress = command === 'RCPT TO' && DEAD_ADDRESS.test(response ?? '');
  return { result: 'refused', ...failure, isDeadAddress };
}

/** RFC 5321, 4.2.1: the server has not accepted what it was sent, for now (4yz) or for good (5yz). */
const isRefusal = (responseCode = 0): boolean => responseCode >= 400 && responseCode < 600;

/** Removes nodemailer's words before the reply of a server that refused the only recipient. */
export const withoutMailerPrefix = (message: string): string =>
  message.replace(/^Can['’]t send mail - all recipients were rejected: /, '');

/** Interprets an error of connecting, of the greeting or of the login. */
export function outcomeOfEntry(error: SmtpError): SmtpOutcome {
  const outcome = outcomeOf(error, false);
  return outcome.result === 'again' ? { ...outcome, isUnreached: true } : outcome;
}

/** A server that refuses the whole connection (greeting, EHLO) says nothing about one mail. */
const isAboutTheMail = (command = ''): boolean =>
  command === 'MAIL FROM' || command === 'RCPT TO' || command === 'DATA';

/** RFC 3463: a permanent failure of the address. */
const DEAD_ADDRESS = /^5\d\d[ -]5\.1\.\d/m;
