import { Readable } from 'node:stream';
import type Connection from 'nodemailer/lib/smtp-connection';
import type { SMTPConnectionAuth, SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection';
import { SMTP_TIMEOUTS } from '#platform/mailer.ts';
import { outcomeOf, type SmtpError, type SmtpOutcome } from './smtp-outcome.ts';

export interface SmtpServer extends SMTPConnectionOptions {
  readonly auth?: SMTPConnectionAuth;
}

export interface Envelope {
  readonly from: string;
  readonly to: string;
}

/** A connection to a mail server, logged in; it takes one mail after the other. */
export interface SmtpLine {
  /** Never rejects. */
  send(envelope: Envelope, mail: Buffer): Promise<SmtpOutcome>;
  /** False once it cannot be used any more. */
  isOpen(): boolean;
  close(): void;
}

/** Rejects with the error of SMTP where there is no getting in. */
export async function openLine({ auth, ...server }: SmtpServer): Promise<SmtpLine> {
  const { default: SMTPConnection } = await import('nodemailer/lib/smtp-connection');
  const connection = new SMTPConnection({
    ...server,
    dnsTimeout: SMTP_TIMEOUTS.connectMs,
    connectionTimeout: SMTP_TIMEOUTS.connectMs,
    greetingTimeout: SMTP_TIMEOUTS.greetingMs,
    socketTimeout: SMTP_TIMEOUTS.socketMs,
  });
  const { asked, isOpen, close } = dialogueOn(connection);
  try {
    await asked((done) => connection.connect(done));
    if (auth) {
      await asked((done) => connection.login(auth, done));
    }
  } catch (error) {
    close();
    throw error;
  }
  const settle = async ({ responseCode }: SmtpError): Promise<void> => {
    // Who answers no may take the next one; all else leaves nothing to talk to.
    if (isOpen() && responseCode !== undefined) {
      await asked((done) => connection.reset(done)).catch(close);
    } else {
      close();
    }
  };
  return {
    async send({ from, to }, mail) {
      let isTaking = false;
      const source = new Readable({
        read() {
          isTaking = true;
          this.push(mail);
          this.push(null);
        },
      });
      try {
        await asked((done) => connection.send({ from, to: [to] }, source, done));
        return { result: 'sent' };
      } catch (error) {
        const outcome = outcomeOf(error as SmtpError, isTaking);
        await settle(error as SmtpError);
        return outcome;
      }
    },
    isOpen,
    close,
  };
}

type Ask = (done: (error?: Error | null) => void) => void;

/** Every question gets an answer: the server's, or that the connection is lost or too slow. */
function dialogueOn(connection: Connection) {
  let isOpen = true;
  const lost = Promise.withResolvers<never>();
  lost.promise.catch(() => undefined);
  const lose = (error: Error) => {
    isOpen = false;
    lost.reject(error);
  };
  connection.on('error', lose);
  connection.on('end', () => lose(failure('ECONNECTION', 'the connection ended')));
  return {
    async asked(ask: Ask): Promise<void> {
      const late = setTimeout(
        () => lose(failure('ETIMEDOUT', 'the mail server did not answer in time')),
        SMTP_TIMEOUTS.totalMs,
      );
      const answer = new Promise<void>((resolve, reject) => {
        ask((error) => (error ? reject(error) : resolve()));
      });
      try {
        await Promise.race([lost.promise, answer]);
      } finally {
        clearTimeout(late);
      }
    },
    isOpen: () => isOpen,
    close() {
      isOpen = false;
      connection.close();
    },
  };
}

const failure = (code: string, message: string): Error =>
  Object.assign(new Error(message), { code });
