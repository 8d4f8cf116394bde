import type { SMTPPoolOptions } from 'nodemailer/lib/smtp-pool';
import type { Mail, Mailer } from '#core/tools.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import type { Logger } from '../config/logger.ts';

/** Timeouts of the mail server: the job that waits for it then ends and is tried again. */
export const SMTP_TIMEOUTS = {
  connectMs: 10_000,
  greetingMs: 10_000,
  /** Between two responses. */
  socketMs: 30_000,
  /** In total, including the wait for a free connection: a slow server may never be silent. */
  totalMs: MINUTE_MS,
};

type Timeouts = typeof SMTP_TIMEOUTS;

export interface MailerOptions {
  readonly smtpUrl?: string | undefined;
  readonly mailFrom?: string | undefined;
  readonly log: Logger;
  readonly timeouts?: Partial<Timeouts>;
}

/**
 * Sends mail by SMTP over a pool of connections; nodemailer is loaded with the first mail. All
 * recipients are in the To header: they are admins of the same sub-account. If the server accepts only
 * some of them, the mail counts as sent: a retry would reach those twice.
 */
export function openMailer({ smtpUrl, mailFrom, log, timeouts }: MailerOptions): Mailer {
  let opening: Promise<Pool> | undefined;
  const limits = { ...SMTP_TIMEOUTS, ...timeouts };
  return {
    isSetUp: smtpUrl !== undefined && mailFrom !== undefined,
    async send(mail) {
      if (smtpUrl === undefined || mailFrom === undefined) {
        log.info({ ...outline(mail), text: withoutContacts(mail.text) }, NOT_SET_UP);
        return 'logged';
      }
      if (mail.to.length === 0) {
        log.info(outline(mail), 'a mail was not sent: it has no recipients');
        return 'logged';
      }
      opening ??= openPool({ url: smtpUrl }, limits);
      await sendBy(await opening, mail, mailFrom, limits.totalMs, log);
      return 'sent';
    },
    async close() {
      (await opening)?.close();
    },
  };
}

type Pool = Awaited<ReturnType<typeof openPool>>;

const NOT_SET_UP =
  'a mail was not sent: FRONTDESK_SMTP_URL and FRONTDESK_MAIL_FROM are not both set';

/** Addresses are personal data: only their number is logged. */
const outline = ({ to, subject }: Mail) => ({
  subject: inOneLine(subject),
  recipients: to.length,
});

/** `smtps:` or `secure` means implicit TLS; otherwise STARTTLS is used if the server offers it. */
async function openPool(server: SMTPPoolOptions, limits: Timeouts = SMTP_TIMEOUTS) {
  const { default: nodemailer } = await import('nodemailer');
  return nodemailer.createTransport({
    ...server,
    pool: true,
    dnsTimeout: limits.connectMs,
    connectionTimeout: limits.connectMs,
    greetingTimeout: limits.greetingMs,
    socketTimeout: limits.socketMs,
  });
}

async function sendBy(pool: Pool, mail: Mail, mailFrom: string, totalMs: number, log: Logger) {
  const late = AbortSignal.timeout(totalMs);
  const sent = pool.sendMail({
    from: senderOf(mailFrom),
    // Objects, so that nodemailer does not parse an address as a list.
    to: mail.to.map((address) => ({ name: '', address })),
    subject: inOneLine(mail.subject),
    text: mail.text,
    headers: { 'Auto-Submitted': 'auto-generated' },
    signal: late,
  });
  const { rejected, rejectedErrors = [] } = await sent.catch((error: Error) => {
    const why = late.aborted ? `no response after ${totalMs} ms` : withoutAddresses(error.message);
    throw new Error(`the mail server did not accept the mail: ${why}`);
  });
  if (rejected.length > 0) {
    const answers = rejectedErrors.map(({ message }) => withoutAddresses(message));
    const message = 'the mail server rejected some recipients of a mail';
    log.warn({ ...outline(mail), refused: rejected.length, answers }, message);
  }
}

export const isSender = (text: string): boolean =>
  /^[^\r\n<>]*(?:<[^\s@<>\p{C}]+@[^\s@<>\p{C}]+>|\b[^\s@<>\p{C}]+@[^\s@<>\p{C}]+)$/u.test(text);

/** Parses `Frontdesk <desk@example.com>`; a comma in the name does not end it. */
export function senderOf(mailFrom: string) {
  const at = mailFrom.search(/<?[^\s<>]+>?$/);
  const name = mailFrom
    .slice(0, at)
    .trim()
    .replace(/^"(.*)"$/, '$1');
  return { name, address: mailFrom.slice(at).replaceAll(/[<>]/g, '') };
}

/**
 * Replaces control characters, with the white space around them, by a space: they could inject headers.
 * Each run is matched once, so that the time is linear in the text.
 */
export const inOneLine = (text: string) =>
  text.replaceAll(/[\s\p{Cc}]+/gu, (run) => (LINE_BREAKING.test(run) ? ' ' : run)).trim();

const LINE_BREAKING = /[\p{Cc}\u2028\u2029]/u;

/** Without a mail server, mails are logged without personal addresses and phone numbers. */
const withoutContacts = (text: string) =>
  withoutAddresses(text).replaceAll(/\+\d[\d\s()./-]{4,}\d/g, '+…');

/**
 * Servers repeat rejected addresses, and errors end up in the log and in the queue. The time is linear in
 * the text: a pattern with the @ in it would start again at each character of a long word.
 */
export const withoutAddresses = (text: string) =>
  text.replaceAll(/[^\s<>,;:"']+/g, (word) => (word.slice(1, -1).includes('@') ? '…@…' : word));
