import type { Transform, Readable } from 'node:stream';
import type Connection from 'nodemailer/lib/smtp-connection';
import type { SMTPConnectionAuth, SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection';
import { SMTP_TIMEOUTS } from '#platform/mail/mailer.ts';
import { outcomeOf, type SmtpError, type SmtpOutcome } from './outcome.ts';
import type { WireText } from './wire-text.ts';

export interface SmtpServer extends SMTPConnectionOptions {
  readonly auth?: SMTPConnectionAuth;
}

export interface Envelope {
  readonly from: string;
  readonly to: string;
}

/** An authenticated connection to a mail server, for one mail after the other. */
export interface SmtpConnection {
  /** Never rejects. An abort counts only until the server is ready to take the mail's text. */
  send(envelope: Envelope, mail: WireText, signal?: AbortSignal): Promise<SmtpOutcome>;
  /** False once the connection cannot be used any more. */
  isOpen(): boolean;
  close(): void;
}

/** Connects and logs in. Throws the SMTP error if that fails. */
export async function openConnection(
  { auth, ...server }: SmtpServer,
  signal?: AbortSignal,
): Promise<SmtpConnection> {
  signal?.throwIfAborted();
  // On demand: processes that send no mail never load nodemailer.
  const { default: SMTPConnection } = await import('nodemailer/lib/smtp-connection');
  const connection = new SMTPConnection({
    ...server,
    dnsTimeout: SMTP_TIMEOUTS.connectMs,
    connectionTimeout: SMTP_TIMEOUTS.connectMs,
    greetingTimeout: SMTP_TIMEOUTS.greetingMs,
    socketTimeout: SMTP_TIMEOUTS.socketMs,
  });
  const dialogue = dialogueOn(connection);
  limitReplies(connection, dialogue);
  const { ask, lose, close } = dialogue;
  const abort = () => lose(failure('ABORTED', 'cancelled before the mail server was ready'));
  signal?.addEventListener('abort', abort);
  try {
    await ask((done) => connection.connect(done));
    if (auth) {
      await ask((done) => connection.login(auth, done));
    }
  } catch (error) {
    close();
    throw error;
  } finally {
    signal?.removeEventListener('abort', abort);
  }
  return senderOn(connection, dialogue, abort);
}

function senderOn(connection: Connection, dialogue: Dialogue, abort: () => void): SmtpConnection {
  const { ask, isOpen, close } = dialogue;
  const settle = async ({ responseCode }: SmtpError, result: string): Promise<void> => {
    // After a refusal the connection can carry the next mail; after anything else it cannot.
    if (isOpen() && responseCode !== undefined && result !== 'unknown') {
      await ask((done) => connection.reset(done)).catch(close);
    } else {
      close();
    }
  };
  return {
    async send({ from, to }, mail, signal) {
      let isTaking = false;
      const giveUp = () => (isTaking ? undefined : abort());
      const source = sourceOf(mail, () => {
        isTaking = true;
      });
      signal?.addEventListener('abort', giveUp);
      try {
        signal?.throwIfAborted();
        await ask((done) => connection.send({ from, to: [to] }, source, done));
        return { result: 'sent' };
      } catch (error) {
        const outcome = outcomeOf(error as SmtpError, isTaking);
        await settle(error as SmtpError, outcome.result);
        return outcome;
      } finally {
        signal?.removeEventListener('abort', giveUp);
      }
    },
    isOpen,
    close,
  };
}

/**
 * Returns what nodemailer reads a mail from. It pipes a source into a stream that looks at each byte in
 * JavaScript, and ends the text in a write of its own: twice the time that a mail needs otherwise
 * (bench scenario `campaign`). This source has the whole text ready, and passes it on behind that stream.
 */
function sourceOf({ bytes }: WireText, onTaking: () => void): Readable {
  const pipe = (stream: Transform) => {
    onTaking();
    stream.push(bytes);
    stream.push(null);
    return stream;
  };
  return { pipe } as unknown as Readable;
}

/** Far above all replies to one command, such as the list of extensions. */
const REPLIES_MAX_BYTES = 64 * 1024;
const REPLIES_MAX_LINES = 1_000;

/**
 * Gives up on a server that sends replies without end. nodemailer limits one reply, but keeps blank lines
 * without limit: a million of them blocked the process for seconds.
 */
function limitReplies(connection: Connection, { received, lose, close }: Dialogue): void {
  const reader = connection as unknown as Reader;
  const read = reader._onData.bind(connection);
  reader._onData = (chunk) => {
    received.bytes += chunk.length;
    for (let at = chunk.indexOf('\n'); at !== -1; at = chunk.indexOf('\n', at + 1)) {
      received.lines += 1;
    }
    if (received.bytes <= REPLIES_MAX_BYTES && received.lines <= REPLIES_MAX_LINES) {
      read(chunk);
    } else {
      lose(failure('EPROTOCOL', 'the mail server sent too much'));
      close();
    }
  };
}

/** nodemailer passes everything that the server says to this. */
interface Reader {
  _onData(chunk: Buffer): void;
}

type Dialogue = ReturnType<typeof dialogueOn>;
type Command = (done: (error?: Error | null) => void) => void;

/** Ends every command: with the server's reply, or by closing a connection that is too slow. */
function dialogueOn(connection: Connection) {
  let isOpen = true;
  /** What the server sent since the last command. */
  const received = { bytes: 0, lines: 0 };
  const lost = Promise.withResolvers<never>();
  lost.promise.catch(() => undefined);
  const lose = (error: Error) => {
    isOpen = false;
    lost.reject(error);
  };
  connection.on('error', lose);
  connection.on('end', () => lose(failure('ECONNECTION', 'the connection ended')));
  return {
    async ask(command: Command): Promise<void> {
      Object.assign(received, { bytes: 0, lines: 0 });
      const late = setTimeout(
        () => lose(failure('ETIMEDOUT', 'the mail server did not reply in time')),
        SMTP_TIMEOUTS.totalMs,
      );
      const answer = new Promise<void>((resolve, reject) => {
        command((error) => (error ? reject(error) : resolve()));
      });
      try {
        await Promise.race([lost.promise, answer]);
      } finally {
        clearTimeout(late);
      }
    },
    received,
    lose,
    isOpen: () => isOpen,
    close() {
      isOpen = false;
      connection.close();
    },
  };
}

const failure = (code: string, message: string): Error =>
  Object.assign(new Error(message), { code });
