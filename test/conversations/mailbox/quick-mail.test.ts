import { expect, test } from 'vitest';
import {
  explainSafely,
  type ParserThread,
} from '../../../src/conversations/mailbox/parse-safely.ts';
import { cyclesDuring } from '../../support/cycles.ts';
import { DESK, fromAda } from './mail.support.ts';

/** Counts the mails that are parsed in a thread. */
function countInThread() {
  let count = 0;
  const thread: ParserThread = {
    async run() {
      count += 1;
      return { mail: { inbound: [], receipts: [] } };
    },
  };
  return { thread, count: () => count };
}

const multipart = (parts: number) =>
  fromAda({ 'Content-Type': 'multipart/mixed; boundary=b' }, '--b\n\n\n'.repeat(parts));

test.for([
  ['8 kB', fromAda({}, 'x '.repeat(4_000))],
  ['190 lines', fromAda({}, '\n'.repeat(185))],
  ['20 parts', multipart(20)],
] as const)('a mail of %s is parsed without a thread', async ([, raw]) => {
  const { thread, count } = countInThread();
  const { inbound } = await explainSafely(Buffer.from(raw), DESK, thread);
  expect(inbound).toHaveLength(1);
  expect(count()).toBe(0);
});

test.for([
  ['9 kB', fromAda({}, 'x '.repeat(4_500))],
  ['250 lines', fromAda({}, '\n'.repeat(250))],
  ['16 kB of empty lines', fromAda({}, '\n'.repeat(16_000))],
  ['30 parts', multipart(30)],
] as const)('a mail of %s is parsed in a thread', async ([, raw]) => {
  const { thread, count } = countInThread();
  await explainSafely(Buffer.from(raw), DESK, thread);
  expect(count()).toBe(1);
});

test('other work runs between small mails that arrive together', async () => {
  const mails = Array.from({ length: 40 }, () => Buffer.from(fromAda()));
  const parsing = Promise.all(mails.map((raw) => explainSafely(raw, DESK)));
  expect(await cyclesDuring(parsing)).toBeGreaterThan(30);
});
