import { describe, expect, test } from 'vitest';
import { isExpired, positionOf, positionText } from '../../../src/console/changes/position.ts';

const EPOCH = '0192f7c4-5b1e-7c3a-9d42-29468088e7f1';
const ID = '01a2051f-9497-7ca5-abf4-82b9fbdbe45f';
const WITHIN = { upTo: '12:19:12,15', xid: '14', id: ID };

describe('a position', () => {
  test.for([
    { at: 1, epoch: EPOCH, since: '10:10:' },
    { at: 1_796_115_600_000, epoch: EPOCH, since: '10:20:11,13,19', within: WITHIN },
  ])('survives as text: %j', (position) => {
    expect(positionOf(positionText(position))).toEqual(position);
  });

  test.for([
    undefined,
    '',
    '0',
    ID,
    `1~${EPOCH}`,
    `1~${EPOCH}~10`,
    `1~${EPOCH}~0:0:`,
    `1~${EPOCH}~10:9:`,
    `1~${EPOCH}~10:20:9`,
    `1~${EPOCH}~10:20:20`,
    `1~${EPOCH}~10:20:12,11`,
    `1~${EPOCH}~10:20:11,11`,
    `1~${EPOCH}~10:9223372036854775808:`,
    `1~${EPOCH}~10:20:~10:19:`,
    `1~${EPOCH}~10:20:~10:9:~14~${ID}`,
    `1~${EPOCH}~10:20:~10:20:~x~${ID}`,
    `1~${EPOCH}~10:20:'`,
  ])('is not made of %j', (text) => {
    expect(positionOf(text)).toBeUndefined();
  });

  test('expires before its changes are deleted', () => {
    const position = { at: 0, epoch: EPOCH, since: '10:10:' };
    expect(isExpired(position, new Date(54 * 60_000))).toBe(false);
    expect(isExpired(position, new Date(56 * 60_000))).toBe(true);
  });
});
