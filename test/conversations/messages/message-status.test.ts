import { describe, expect, test } from 'vitest';
import { canBecome, MESSAGE_STATUSES } from '../../../src/conversations/messages/message.schema.ts';

/** A row for each status, a column for each next status (contract 5). */
const TABLE = `
             pending sent delivered read failed bounced
  pending    -       yes  yes       yes  yes    -
  sent       -       -    yes       yes  yes    yes
  delivered  -       -    -         yes  -      yes
  read       -       -    -         -    -      -
  failed     -       -    -         -    -      -
  bounced    -       -    -         -    -      -
`;

const [head = [], ...rows] = TABLE.trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/));
const PAIRS = rows.flatMap(([from, ...cells]) =>
  cells.map((cell, index) => [from, head[index], cell === 'yes'] as const),
);

describe('a message that is', () => {
  test.for(PAIRS)('%s becomes %s: %s', ([from, to, may]) => {
    expect(canBecome(from as 'sent', to as 'sent')).toBe(may);
  });

  test('every status is in the table', () => {
    expect(head).toEqual(MESSAGE_STATUSES);
    expect(rows.map(([from]) => from)).toEqual(MESSAGE_STATUSES);
    expect(PAIRS).toHaveLength(36);
  });
});
