import { describe, expect, test } from 'vitest';
import { newId } from '#lib/id.ts';
import {
  acquireLeases,
  advance,
  beginMail,
  openPosition,
  releaseLeases,
} from '../../../src/conversations/mailbox/mailbox.store.ts';
import { mailing } from './mail.support.ts';
import { smtp, startSending } from '../sending.support.ts';

const SERVER = { port: 143 };

/** A channel with a mailbox, and two workers that can read it. */
async function started() {
  const sending = await startSending();
  await sending.setUp(mailing(25, SERVER));
  const { database } = sending;
  const [one, other] = [newId(new Date()), newId(new Date())];
  const acquiredBy = async (holder: string) => (await acquireLeases(database, holder)).length;
  return { sending, database, one, other, acquiredBy };
}

describe('a mailbox', () => {
  test('has one reader as long as the lease is renewed', async () => {
    const { database, one, other, acquiredBy } = await started();
    expect([await acquiredBy(one), await acquiredBy(other), await acquiredBy(one)]).toEqual([
      1, 0, 1,
    ]);
    await database.rows(`update mailboxes set held_until = now() - interval '1 s'`);
    expect([await acquiredBy(other), await acquiredBy(one)]).toEqual([1, 0]);
    await releaseLeases(database, other);
    expect([await acquiredBy(one), await acquiredBy(other)]).toEqual([1, 0]);
    // As after a clock that was an hour ahead.
    await database.rows(`update mailboxes set held_until = held_until + interval '1 h'`);
    expect([await acquiredBy(other), await acquiredBy(one)]).toEqual([1, 0]);
  });

  test('that several workers acquire concurrently gets one reader, twenty times', async () => {
    const { database, acquiredBy } = await started();
    for (let round = 0; round < 20; round += 1) {
      await database.rows('delete from mailboxes');
      const readers = Array.from({ length: 5 }, () => acquiredBy(newId(new Date())));
      expect((await Promise.all(readers)).toSorted((a, b) => a - b)).toEqual([0, 0, 0, 0, 1]);
    }
  });

  test('of a sandbox, a deleted sub-account or a channel without IMAP has no reader', async () => {
    const { sending, database, one, acquiredBy } = await started();
    expect(await acquiredBy(one)).toBe(1);
    await database.rows('update sub_accounts set sandbox = true');
    expect(await acquiredBy(one)).toBe(0);
    await database.rows('update sub_accounts set sandbox = false, deleted_at = now()');
    expect(await acquiredBy(one)).toBe(0);
    await database.rows('update sub_accounts set deleted_at = null');
    expect(await acquiredBy(one)).toBe(1);
    await sending.setUp(smtp(25));
    expect(await acquiredBy(one)).toBe(0);
  });

  test('counts the workers that began a mail and did not end, once each', async () => {
    const { database, one, other } = await started();
    const reads = async (holder: string, uid: number) => {
      await database.rows('update mailboxes set held_until = null, holder = null');
      const [mailbox] = await acquireLeases(database, holder);
      return beginMail(database, holder, mailbox!, uid);
    };
    expect([await reads(one, 7), await reads(one, 7), await reads(other, 7)]).toEqual([1, 1, 2]);
    // A worker that ends in order does not count.
    await releaseLeases(database, other);
    expect(await reads(one, 7)).toBe(2);
    expect(await reads(one, 8)).toBe(1);
  });

  test('is not advanced after a lost lease', async () => {
    const { database, one, other } = await started();
    const [mailbox] = await acquireLeases(database, one);
    const uidState = { place: 'here', uidValidity: 7n, uidNext: 5 };
    const position = await openPosition(database, one, mailbox!, uidState);
    expect(position).toMatchObject({ lastUid: 4, historyUid: 0 });
    await database.rows('update mailboxes set holder = $1', [other]);
    expect(await advance(database, one, mailbox!, 5)).toBe(false);
    expect(await openPosition(database, one, mailbox!, uidState)).toBeUndefined();
    expect(await advance(database, other, mailbox!, 5)).toBe(true);
  });

  test('continues at its position, at the start after a new UIDVALIDITY, at the end elsewhere', async () => {
    const { database, one } = await started();
    const [mailbox] = await acquireLeases(database, one);
    const open = (place: string, uidValidity: bigint, uidNext: number) =>
      openPosition(database, one, mailbox!, { place, uidValidity, uidNext });
    await open('here', 7n, 5);
    await advance(database, one, mailbox!, 9);
    expect(await open('here', 7n, 12)).toMatchObject({ lastUid: 9, historyUid: 0 });
    const reopened = await open('here', 8n, 12);
    expect(reopened).toMatchObject({ lastUid: 0, historyUid: 11 });
    expect(await open('here', 8n, 14)).toEqual(reopened);
    expect(await open('there', 8n, 12)).toMatchObject({ lastUid: 11, historyUid: 0 });
  });
});
