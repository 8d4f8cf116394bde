import { describe, expect, test } from 'vitest';
import { IMAP_USER } from '../../support/imap-server.ts';
import { attended, cameIn, fromAda, imapServer, mailing, mails } from './mail.support.ts';
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

const OLD_MAILS = 6_000;
/** The UIDs of mails that arrive, far behind those of the old mails. */
const NEW_UIDS = [9_000_000, 9_000_001];

/** A mailbox of many mails, whose UIDs have a gap. Records the ranges that are searched. */
async function largeMailbox(mailOf: (uid: number) => string) {
  const uids = Array.from({ length: OLD_MAILS }, (_, n) => n + 1);
  const searched: string[] = [];
  const respond = (line: string): string => {
    const [, from = 0, to = 0] = (/ (\d+):(\d+)/.exec(line) ?? []).map(Number);
    const [, at = 0] = (/ FETCH (\d+) /.exec(line) ?? []).map(Number);
    if (line.includes('SEARCH')) {
      searched.push(line);
      return `* SEARCH ${uids.filter((uid) => uid >= from && uid <= to).join(' ')}\r\n`;
    }
    if (!line.includes('UID FETCH')) {
      return `* ${at} FETCH (UID ${uids[at - 1]})\r\n`;
    }
    const mail = mailOf(at);
    return line.includes('BODY.PEEK')
      ? `* 1 FETCH (UID ${at} BODY[] {${mail.length}}\r\n${mail})\r\n`
      : NEW_UIDS.map((uid, n) => `* ${n + 1} FETCH (UID ${uid} RFC822.SIZE 10)\r\n`).join('');
  };
  const port = await scriptedImap(({ tag, name, line }) => {
    const done = `${tag} OK done\r\n`;
    const about = `* ${uids.length} EXISTS\r\n`;
    switch (name) {
      case 'EXAMINE':
        return `${about}* OK [UIDVALIDITY 1] x\r\n* OK [UIDNEXT ${OLD_MAILS + 1}] x\r\n${done}`;
      case 'NOOP':
        return about + done;
      case 'SEARCH':
      case 'FETCH':
        return respond(line) + done;
      default:
        return done;
    }
  });
  return { port, searched, fill: () => void uids.push(...NEW_UIDS) };
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

  test.for([
    ['three workers began and did not end is stored without its content', 3, 2],
    ['four workers began and did not end is skipped', 4, 1],
  ] as const)('that %s, and the next one is read', async ([, starts, stored]) => {
    const sending = await startSending();
    const server = await imapServer();
    await sending.setUp(mailing(25, server));
    await sending.startWorker();
    await attended(sending, 0);
    await sending.database.rows(
      'update mailboxes set reading_uid = 1, reading_by = $1, starts = $2',
      [crypto.randomUUID(), starts],
    );
    await server.deliver(fromAda({}, 'x '.repeat(300_000)));
    await server.deliver(fromAda({}, 'the second'));
    const outline = expect.stringMatching(/^\[The content of this mail is missing/);
    expect((await cameIn(sending, stored)).map((text) => text.trim())).toEqual(
      [outline, 'the second'].slice(-stored),
    );
    const inbound = (await mails(sending)).filter(({ direction }) => direction === 'inbound');
    expect(new Set(inbound.map(({ fromAddress }) => fromAddress))).toEqual(
      new Set(['ada@example.com']),
    );
    expect(await skipped(sending)).toBe(2 - stored);
    expect((await sending.fired()).map(({ name }) => name)).toEqual(
      Array.from({ length: stored }, () => 'message.received'),
    );
  });

  test('of a large mailbox is found behind a gap, by searches of few mails each', async () => {
    const sending = await startSending();
    const server = await largeMailbox((uid) => fromAda({ To: IMAP_USER }, `mail ${uid}`));
    await sending.setUp(mailing(25, server));
    await sending.startWorker();
    await attended(sending, OLD_MAILS);
    server.fill();
    expect(await cameIn(sending, 2)).toEqual(['mail 9000000', 'mail 9000001']);
    await attended(sending, NEW_UIDS.at(-1));
    expect(server.searched).toContainEqual(expect.stringContaining('SEARCH UID 6001:11000'));
    expect(server.searched).toContainEqual(expect.stringContaining('SEARCH UID 9000000:9004999'));
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
