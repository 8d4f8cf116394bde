import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { SMTPServer, type SMTPServerEnvelope, type SMTPServerOptions } from 'smtp-server';

const NEXT_TIMEOUT_MS = 60_000;
const LOOK_MS = 10;

interface ReceivedMail {
  /** Of the envelope. */
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
  /** By lower-case name, unfolded and decoded; the last of repeated headers. */
  readonly headers: Readonly<Record<string, string>>;
  readonly subject: string;
  /** The decoded body of a single-part mail, with plain line feeds and none at its end. */
  readonly text: string;
}

/** A real SMTP server on a free loopback port. */
export interface MailServer {
  readonly url: string;
  /** All mails since the start, oldest first. */
  readonly mails: readonly ReceivedMail[];
  /** Returns the oldest `n` mails that were not returned yet; rejects if they do not arrive. */
  next(n: number): Promise<ReceivedMail[]>;
  close(): Promise<void>;
}

/** Accepts every mail unless `options` (of smtp-server) say otherwise. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 100,
    onData: (stream, { envelope }, done) => {
      let raw = '';
      stream.setEncoding('utf8');
      stream.on('data', (chunk: string) => {
        raw += chunk;
      });
      stream.on('error', done).on('end', () => {
        mails.push(received(envelope, raw));
        done();
      });
    },
    ...options,
  });
  // Tests check clients that disconnect themselves.
  server.on('error', () => undefined);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.server.address() as AddressInfo;
  let seen = 0;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    async next(n) {
      const end = performance.now() + NEXT_TIMEOUT_MS;
      while (mails.length < seen + n) {
        if (performance.now() > end) {
          throw new Error(`${mails.length - seen} of ${n} mails arrived`);
        }
        await sleep(LOOK_MS);
      }
      seen += n;
      return mails.slice(seen - n, seen);
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function received({ mailFrom, rcptTo }: SMTPServerEnvelope, raw: string): ReceivedMail {
  const end = raw.indexOf('\r\n\r\n');
  const lines = raw
    .slice(0, end)
    .replaceAll(/\r\n(?=[ \t])/g, '')
    .split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const [, name = '', value = ''] = /^([^:]+):\s*(.*)$/.exec(line) ?? [];
      return [name.toLowerCase(), decodeWords(value)];
    }),
  );
  const text = decodeBody(raw.slice(end + 4), headers['content-transfer-encoding'])
    .replaceAll('\r\n', '\n')
    .trimEnd();
  return {
    from: mailFrom ? mailFrom.address : '',
    to: rcptTo.map(({ address }) => address),
    raw,
    headers,
    subject: headers['subject'] ?? '',
    text,
  };
}

/** RFC 2047; space between two encoded words is dropped. */
const decodeWords = (value: string) =>
  value
    .replaceAll(/(\?=)\s+(?==\?)/g, '$1')
    .replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toLowerCase() === 'b' ? fromBase64(word) : fromQuoted(word.replaceAll('_', ' ')),
    );

function decodeBody(body: string, encoding = '7bit'): string {
  if (encoding === 'base64') {
    return fromBase64(body);
  }
  return encoding === 'quoted-printable' ? fromQuoted(body.replaceAll('=\r\n', '')) : body;
}

const fromBase64 = (text: string) => Buffer.from(text, 'base64').toString();

const fromQuoted = (text: string) =>
  Buffer.from(
    text.replaceAll(/=([\dA-F]{2})/gi, (_, hex: string) =>
      String.fromCodePoint(Number.parseInt(hex, 16)),
    ),
    'latin1',
  ).toString();
