import { describe, expect, test } from 'vitest';
import { IMAP_USER } from '../../support/imap-server.ts';
import { attended, cameIn, fromAda, imapServer, mailing } from './mail.support.ts';
import { scriptedImap } from './scripted-imap.support.ts';
import { startSending, type Sending } from '../sending.support.ts';

/** An IMAP server that always refuses its first mail and once disconnects within the second. */
async function brokenServer(mail: string) {
  let isFull = false;
  let hasBroken = false;
  const port = await scriptedImap(({ tag, name, line, drop }) => {
    const done = `${tag} OK done\r\n`;
    switch (name) {
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
        if (line.includes('FETCH 1 ')) {
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
  });
  return {
    port,
    fill: () => {
      isFull = true;
    },
    hasBroken: () => hasBroken,
  };
}

/** An IMAP server that sends UIDNEXT only for STATUS, or never. It has one mail, and another arrives. */
async function silentServer(mail: string, sendsUidNext: boolean) {
  let last = 7;
  const port = await scriptedImap(({ tag, name, line }) => {
    const done = `${tag} OK done\r\n`;
    switch (name) {
      case 'EXAMINE':
        return `* ${last - 6} EXISTS\r\n* OK [UIDVALIDITY 1] x\r\n${done}`;
      case 'STATUS':
        return sendsUidNext
          ? `* STATUS INBOX (UIDNEXT ${last + 1})\r\n${done}`
          : `${tag} BAD not while it is open\r\n`;
      case 'SEARCH':
        return `* SEARCH ${last}\r\n${done}`;
      case 'FETCH':
        return line.includes('BODY.PEEK')
          ? `* 2 FETCH (UID 8 BODY[] {${mail.length}}\r\n${mail})\r\n${done}`
          : `* 2 FETCH (UID 8 RFC822.SIZE ${mail.length})\r\n${done}`;
      default:
        return done;
    }
  });
  return {
    port,
    fill: () => {
      last = 8;
    },
  };
}

async function skipped({ database, subAccountId }: Sending): Promise<number | undefined> {
  const [row] = await database.rows<{ skipped: number }>(
    'select skipped from mailboxes where sub_account_id = $1',
    [subAccountId],
  );
  return row?.skipped;
}

describe('a mail', { timeout: 180_000 }, () => {
  test('that its server always refuses is skipped, and one whose transfer breaks is fetched again', async () => {
    const sending = await startSending();
    const server = await brokenServer(fromAda({ To: IMAP_USER }, 'one'));
    await sending.setUp(mailing(25, server));
    await sending.startWorker();
    await attended(sending, 0);
    server.fill();
    expect(await cameIn(sending, 1)).toEqual(['one']);
    await attended(sending, 2);
    expect(await skipped(sending)).toBe(1);
    expect(server.hasBroken()).toBe(true);
    expect((await sending.fired()).map(({ name }) => name)).toEqual(['message.received']);
  });

  test('that three workers began and did not end is skipped, and the next one is read', async () => {
    const sending = await startSending();
    const server = await imapServer();
    await sending.setUp(mailing(25, server));
    await sending.startWorker();
    await attended(sending, 0);
    await sending.database.rows(
      'update mailboxes set reading_uid = 1, reading_by = $1, starts = 3',
      [crypto.randomUUID()],
    );
    await server.deliver(fromAda({}, 'the first'));
    await server.deliver(fromAda({}, 'the second'));
    expect((await cameIn(sending, 1)).map((text) => text.trim())).toEqual(['the second']);
    expect(await skipped(sending)).toBe(1);
    expect((await sending.fired()).map(({ name }) => name)).toEqual(['message.received']);
  });

  test.for([
    ['sends UIDNEXT only for STATUS', true],
    ['never sends UIDNEXT', false],
  ] as const)(
    'of a server that %s is the first one after the existing mails',
    async ([, sendsUidNext]) => {
      const sending = await startSending();
      const server = await silentServer(fromAda({ To: IMAP_USER }, 'one'), sendsUidNext);
      await sending.setUp(mailing(25, server));
      await sending.startWorker();
      await attended(sending, 7);
      server.fill();
      expect(await cameIn(sending, 1)).toEqual(['one']);
      await attended(sending, 8);
    },
  );
});
