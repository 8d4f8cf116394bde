import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { IMAP_USER } from '../support/imap-server.ts';
import { attended, cameIn, fromAda, mailing } from './mail.support.ts';
import { startSending } from './sending.support.ts';

/**
 * As much of an IMAP server as breaks in ways that a real one seldom does: of its two mails it
 * refuses the first for ever, and breaks off in the middle of the second once.
 */
async function brokenServer(mail: string) {
  let isFull = false;
  let hasBroken = false;
  const answers = (line: string, drop: () => void): string => {
    const [tag = '', verb = '', ...rest] = line.split(' ');
    const done = `${tag} OK done\r\n`;
    const command = verb === 'UID' ? (rest[0] ?? '') : verb;
    switch (command) {
      case 'CAPABILITY':
        return `* CAPABILITY IMAP4rev1\r\n${done}`;
      case 'EXAMINE':
        return `* ${isFull ? 2 : 0} EXISTS\r\n* OK [UIDVALIDITY 1] x\r\n* OK [UIDNEXT ${isFull ? 3 : 1}] x\r\n${done}`;
      case 'NOOP':
        return isFull ? `* 2 EXISTS\r\n${done}` : done;
      case 'SEARCH':
        return `* SEARCH ${line.includes('UID 2:') ? '2' : '1 2'}\r\n${done}`;
      case 'FETCH': {
        if (!line.includes('BODY.PEEK')) {
          return `* 1 FETCH (UID 1 RFC822.SIZE 10)\r\n* 2 FETCH (UID 2 RFC822.SIZE ${mail.length})\r\n${done}`;
        }
        if (rest[1] === '1') {
          return `${tag} NO this one is damaged\r\n`;
        }
        const half = `* 2 FETCH (UID 2 BODY[] {${mail.length}}\r\n`;
        if (!hasBroken) {
          hasBroken = true;
          drop();
          return half;
        }
        return `${half}${mail})\r\n${done}`;
      }
      default:
        return done;
    }
  };
  const server = createServer((socket) => {
    socket.on('error', () => undefined).setEncoding('latin1');
    socket.write('* OK [CAPABILITY IMAP4rev1] ready\r\n');
    socket.on('data', (text: string) => {
      for (const line of text.split('\r\n').filter(Boolean)) {
        socket.write(answers(line, () => setImmediate(() => socket.destroy())));
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return {
    port: (server.address() as AddressInfo).port,
    fill: () => {
      isFull = true;
    },
    hasBroken: () => hasBroken,
  };
}

describe('a mail', { timeout: 120_000 }, () => {
  test('that its server never hands out is left out, and one that breaks off is fetched again', async () => {
    const sending = await startSending();
    const server = await brokenServer(fromAda({ To: IMAP_USER }, 'one'));
    await sending.setUp(mailing(25, server));
    await sending.startWorker();
    await attended(sending, 0);
    server.fill();
    expect(await cameIn(sending, 1)).toEqual(['one']);
    await attended(sending, 2);
    expect(server.hasBroken()).toBe(true);
    expect((await sending.fired()).map(({ name }) => name)).toEqual(['message.received']);
  });
});
