import { describe, expect, test, vi } from 'vitest';
import { IMAP_USER } from '../../support/imap-server.ts';
import { attended, cameIn, fromAda, imapServer, mailing, mails, WAIT } from './mail.support.ts';
import { mailServer, startSending } from '../sending.support.ts';

const YESTERDAY = new Date(Date.now() - 86_400_000);

/** Starts a worker for an SMTP and IMAP channel whose mailbox has one old mail. */
async function started(imapSettings: { mailbox?: string; password?: string } = {}) {
  const sending = await startSending();
  const [out, imap] = [await mailServer(), await imapServer()];
  const { mailbox = 'INBOX' } = imapSettings;
  if (mailbox !== 'INBOX') {
    await imap.act((client) => client.mailboxCreate(mailbox));
  }
  await imap.deliver(fromAda({}, 'from before'), { mailbox, at: YESTERDAY });
  await sending.setUp(mailing(out.port, imap, imapSettings));
  const worker = await sending.startWorker();
  return { sending, imap, worker, port: out.port };
}

const holders = async ({ database, subAccountId }: any): Promise<string[]> => {
  const rows = await database.rows('select holder from mailboxes where sub_account_id = $1', [
    subAccountId,
  ]);
  return rows.map(({ holder }: any) => holder);
};

describe('a mailbox', { timeout: 180_000 }, () => {
  test('is read from its end, and each new mail becomes one message', async () => {
    const { sending, imap } = await started();
    await attended(sending, 1);
    const twice = fromAda({ 'Message-ID': '<twice@example.com>' }, 'one');
    await imap.deliver(twice);
    await imap.deliver(twice);
    await imap.deliver(fromAda({}, 'two'));
    await attended(sending, 4);
    expect(await cameIn(sending, 2)).toEqual(['one', 'two']);
    expect((await sending.fired()).map(({ name }) => name)).toEqual([
      'message.received',
      'message.received',
    ]);
    expect(new Set((await mails(sending)).map(({ conversationId }) => conversationId)).size).toBe(
      1,
    );
  });

  test('is not changed: no mail is marked as seen', async () => {
    const { sending, imap } = await started();
    await attended(sending, 1);
    await imap.deliver(fromAda({}, 'one'));
    await cameIn(sending, 1);
    const unseen = await imap.act(async (client) => {
      await client.mailboxOpen('INBOX', { readOnly: true });
      return client.search({ seen: false });
    });
    expect(unseen).toEqual([1, 2]);
  });

  test('is continued at its position by any worker', async () => {
    const { sending, imap, worker } = await started();
    await attended(sending, 1);
    await imap.deliver(fromAda({}, 'one'));
    await cameIn(sending, 1);
    await worker.stop();
    expect(await holders(sending)).toEqual([null]);
    await imap.deliver(fromAda({}, 'two'));
    await sending.startWorker();
    expect(await cameIn(sending, 2)).toEqual(['one', 'two']);
  });

  test('has one reader among several workers, and another one when that stops', async () => {
    const { sending, imap, worker } = await started();
    await attended(sending, 1);
    const [first] = await holders(sending);
    await sending.startWorker();
    for (const text of ['one', 'two', 'three']) {
      await imap.deliver(fromAda({}, text));
    }
    await cameIn(sending, 3);
    expect(await holders(sending)).toEqual([first]);
    await worker.stop();
    await vi.waitFor(async () => {
      const [holder] = await holders(sending);
      expect([null, first]).not.toContain(holder);
    }, WAIT);
    await imap.deliver(fromAda({}, 'four'));
    expect(await cameIn(sending, 4)).toEqual(['one', 'two', 'three', 'four']);
  });

  test('with a new UIDVALIDITY loses no mail and repeats none', async () => {
    const { sending, imap, worker } = await started({ mailbox: 'Desk' });
    await attended(sending, 1);
    const one = fromAda({}, 'one');
    await imap.deliver(one, { mailbox: 'Desk' });
    await cameIn(sending, 1);
    await worker.stop();
    await imap.act((client) => client.mailboxDelete('Desk'));
    await imap.act((client) => client.mailboxCreate('Desk'));
    await imap.deliver(fromAda({}, 'two'), { mailbox: 'Desk' });
    await imap.deliver(fromAda({}, 'from before'), { mailbox: 'Desk', at: YESTERDAY });
    await imap.deliver(one, { mailbox: 'Desk' });
    await sending.startWorker();
    await attended(sending, 3);
    expect((await cameIn(sending, 2)).toSorted()).toEqual(['one', 'two']);
  });

  test('is read again when its server is back', async () => {
    const { sending, imap } = await started();
    await attended(sending, 1);
    await imap.halt();
    await imap.start();
    await imap.deliver(fromAda({}, 'one'));
    expect(await cameIn(sending, 1)).toEqual(['one']);
  });

  test('is read with changed settings, without a restart', async () => {
    const { sending, imap, port } = await started({ password: 'wrong' });
    await imap.deliver(fromAda({}, 'before it could be read'));
    await sending.setUp(mailing(port, imap));
    await attended(sending, 2);
    await imap.deliver(fromAda({}, 'one'));
    expect(await cameIn(sending, 1)).toEqual(['one']);
  });

  test('skips unreadable, oversized and automatic mails', async () => {
    const { sending, imap } = await started();
    await attended(sending, 1);
    await imap.deliver('To: no-one\r\n\r\nno sender\r\n');
    await imap.deliver(fromAda({}, 'x'.repeat(99).concat('\r\n').repeat(270_000)));
    await imap.deliver(fromAda({ 'Auto-Submitted': 'auto-replied' }));
    await imap.deliver(fromAda({ From: IMAP_USER }));
    await imap.deliver(fromAda({}, 'one'));
    await attended(sending, 6);
    expect(await cameIn(sending, 1)).toEqual(['one']);
    expect(await sending.fired()).toHaveLength(1);
  });
});
