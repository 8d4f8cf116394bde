import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openImap, reasonOf } from '../../../src/conversations/mailbox/open-imap.ts';
import { cameIn, attended, fromAda, imapServer, mailing } from './mail.support.ts';
import { scriptedImap } from './scripted-imap.support.ts';
import { IMAP_USER } from '../../support/imap-server.ts';
import { startSending } from '../sending.support.ts';

const MIB = 1024 * 1024;

const open = (port: number) =>
  openImap(
    { host: '127.0.0.1', port, secure: false, user: 'a', password: 'b', mailbox: 'INBOX' },
    { allow: ['127.0.0.0/8'], attempt: 1, signal: new AbortController().signal },
  );

const opened = (tag: string) =>
  `* 2 EXISTS\r\n* OK [UIDVALIDITY 1] x\r\n* OK [UIDNEXT 2] x\r\n${tag} OK done\r\n`;

/** Sends a text again and again until the other side closes the connection, at most so many bytes. */
function flood(socket: Socket, text: string, bytesMax: number, onSent: (bytes: number) => void) {
  let sent = 0;
  const more = () => {
    while (!socket.destroyed && sent < bytesMax) {
      sent += text.length;
      onSent(text.length);
      if (!socket.write(text)) {
        socket.once('drain', more);
        return;
      }
    }
    socket.destroy();
  };
  more();
}

/** An IMAP server whose response to FETCH does not end by itself. */
async function floodingServer(bytesMax: number) {
  let sent = 0;
  const mail = `* 1 FETCH (UID 5 RFC822.SIZE 10 BODY[] {100000}\r\n${'x'.repeat(100_000)})\r\n`;
  const server = createServer((socket) => {
    socket.on('error', () => undefined).setEncoding('latin1');
    socket.write('* OK [CAPABILITY IMAP4rev1] ready\r\n');
    socket.on('data', (text: string) => {
      const [tag = '', verb = '', next = ''] = text.split(/[ \r]/);
      if (next === 'FETCH') {
        flood(socket, mail, bytesMax, (bytes) => (sent += bytes));
      } else {
        socket.write(verb === 'EXAMINE' ? opened(tag) : `${tag} OK done\r\n`);
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, sent: () => sent };
}

test('a server that sends mails without end is disconnected', async () => {
  const endless = 400 * MIB;
  const server = await floodingServer(endless);
  const client = await open(server.port);
  await client.mailboxOpen('INBOX', { readOnly: true });
  const found = await client
    .fetchAll('5', { uid: true, size: true }, { uid: true })
    .catch(() => []);
  expect(found).toEqual([]);
  expect(client.usable).toBe(false);
  expect(server.sent()).toBeLessThan(endless / 2);
});

test.for([
  ['line', (done: string) => `* 1 FETCH (${'a '.repeat(MIB)})\r\n${done}`],
  [
    'response',
    (done: string) => `* 1 FETCH (${`${'a '.repeat(200_000)}{1}\r\nx `.repeat(4)})\r\n${done}`,
  ],
] as const)('a %s of a server that takes long to read is refused', async ([, flooded]) => {
  const port = await scriptedImap(({ tag, name }) => {
    const done = `${tag} OK done\r\n`;
    return name === 'EXAMINE' ? opened(tag) : name === 'NOOP' ? flooded(done) : done;
  });
  const client = await open(port);
  await client.mailboxOpen('INBOX', { readOnly: true });
  await client.noop().catch(() => undefined);
  expect(client.usable).toBe(false);
});

const WORDS = `* FLAGS (${'a '.repeat(31_000)})\r\n`;

test.for(['CAPABILITY', 'EXAMINE'])(
  'a server that responds to %s with many long lines is disconnected',
  async (flooded) => {
    const port = await scriptedImap(({ tag, name }) => {
      const done = name === 'EXAMINE' ? opened(tag) : `${tag} OK done\r\n`;
      return name === flooded ? WORDS.repeat(28) + done : done;
    });
    const opening = open(port).then((client) => client.mailboxOpen('INBOX', { readOnly: true }));
    await expect(opening).rejects.toThrow(/close|Connection/);
  },
);

test('a mail that is larger than one piece is read as a whole', { timeout: 180_000 }, async () => {
  const sending = await startSending();
  const server = await imapServer();
  await sending.setUp(mailing(25, server));
  await sending.startWorker();
  await attended(sending, 0);
  const text = `${'Tuesday is fine. '.repeat(3)}\r\n`.repeat(17_000);
  await server.deliver(fromAda({ To: IMAP_USER }, text));
  const [read] = await cameIn(sending, 1);
  expect(read).toBe(text.replaceAll('\r\n', '\n').trimEnd());
});

test('what a server says is one short line without control characters', () => {
  const responseText = `\u001B[2J\u009B31m no ${'x'.repeat(1000)}`;
  const said = reasonOf(Object.assign(new Error('Command failed'), { responseText }));
  expect(said).toMatch(/^\[2J 31m no x+$/);
  expect(said.length).toBeLessThanOrEqual(500);
});
