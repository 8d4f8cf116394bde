import { SMTP_TIMEOUTS } from '#platform/mail/mailer.ts';
import type { SendResult, Provider } from '../provider.ts';
import { composeMail } from '../compose-mail.ts';
import { findMailServer } from '../find-mail-server.ts';
import type { SmtpOutcome } from './outcome.ts';
import { poolOf } from './pool.ts';
import { wireTextOf } from './wire-text.ts';

/** Jobs that may wait for the pool of one channel under its `ratePerSecond`. */
const WAITING_MAX = 100;

/** Sends the message as a mail whose Message-ID is the same in every attempt. */
export const sendBySmtp: Provider = async (setup, message, { settings, attempt, signal }) => {
  const found = await findMailServer(
    String(setup.settings['host']),
    settings.outboundAllow ?? [],
    attempt,
  );
  if ('result' in found) {
    return found;
  }
  const rate = setup.settings['ratePerSecond'];
  const queueMs = typeof rate === 'number' ? (WAITING_MAX / rate) * 1_000 : 0;
  const late = AbortSignal.timeout(SMTP_TIMEOUTS.totalMs + queueMs);
  const { envelope, mail, messageId } = await composeMail(setup, message);
  const pool = poolOf(setup, found.address, 'messages');
  const outcome = await pool.send(envelope, wireTextOf(mail), AbortSignal.any([late, signal]));
  if (outcome.result === 'again' && late.aborted) {
    const errorMessage = 'the mail server did not accept the message in time';
    return { result: 'again', errorCode: 'ETIMEDOUT', errorMessage };
  }
  return resultOf(outcome, messageId);
};

function resultOf(outcome: SmtpOutcome, messageId: string): SendResult {
  if (outcome.result === 'sent') {
    return { result: 'taken', externalId: messageId };
  }
  const { result, errorCode, errorMessage, isDeadAddress = false } = outcome;
  if (result === 'again') {
    return { result, errorCode, errorMessage };
  }
  return result === 'unknown'
    ? { result, errorCode: 'outcome_unknown', errorMessage }
    : { result: 'refused', errorCode, errorMessage, isDeadAddress };
}
