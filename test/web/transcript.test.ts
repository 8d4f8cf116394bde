import { expect, test } from 'vitest';
import type { Row } from '../../web/chat/api.ts';
import { openTranscript } from '../../web/chat/transcript.ts';

const row = (id: string): Row => ({
  id,
  direction: 'outbound',
  bodyText: id,
  senderName: 'Anna',
  createdAt: '2026-11-21T12:00:00.000Z',
});
const idsOf = (rows: readonly Row[]) => rows.map(({ id }) => id);

test("a message appears once, in the feed's order, from any source", () => {
  const transcript = openTranscript();
  expect(idsOf(transcript.take([row('c')], 'answer'))).toEqual(['c']);
  expect(idsOf(transcript.take([row('b'), row('a')], 'feed'))).toEqual(['b', 'a']);
  expect(idsOf(transcript.rows)).toEqual(['b', 'a', 'c']);
  expect(idsOf(transcript.take([row('a'), row('c'), row('d')], 'feed'))).toEqual(['d']);
  expect(transcript.take([row('c')], 'answer')).toEqual([]);
  expect(idsOf(transcript.rows)).toEqual(['b', 'a', 'c', 'd']);
});

test("the response to the visitor's own message does not hide earlier messages", () => {
  const transcript = openTranscript();
  expect(transcript.cursor()).toBeUndefined();
  transcript.take([row('a')], 'feed');
  transcript.take([row('c')], 'answer');
  expect(transcript.cursor()).toBe('a');
  transcript.take([row('b'), row('c')], 'feed');
  expect(transcript.cursor()).toBe('c');
});
