import { sequencesOf } from './catalogue.ts';
import type { SequenceState } from './format.ts';
import type { Ask } from './session.ts';

/** The sequence that gives events their positions in the feed. */
export const EVENT_POSITIONS = 'event_positions';

/** Returns the value that a sequence gives next. */
export const nextOf = ({ value, isCalled }: SequenceState): bigint =>
  BigInt(value) + (isCalled ? 1n : 0n);

const MICROSECONDS = `extract(epoch from now() - timestamptz '2020-01-01') * 1e6`;

/**
 * The bound of the positions in a file: a million a second since 2020, exact as a double until 2305. It
 * rises faster than events are published. With a fixed bound, a file at the bound would raise the
 * sequence to it, and every later export would be refused.
 */
export const POSITION_MAX = `select (${MICROSECONDS})::bigint as max`;

/**
 * Half of the bound: beyond the positions of earlier restores of the same data, also into databases that
 * are gone. Events are published more slowly.
 */
const POSITION_OF_NOW = `(${MICROSECONDS} / 2)::bigint`;

/** More than are published between a backup and its restore. */
const JUMP = 1_000_000_000n;

/**
 * The next position after that of the file ($1) and that of the database ($2). If the clock is behind the
 * file, positions jump, but not from below the bound to above it: later exports could not be imported.
 */
const NEXT_POSITION = `select greatest($1::bigint, $2::bigint,
  case
    when ${POSITION_OF_NOW} > $1::bigint then ${POSITION_OF_NOW}
    when $1::bigint <= (${MICROSECONDS})::bigint
      then least($1::bigint + ${JUMP}, (${MICROSECONDS})::bigint)
    else $1::bigint + ${JUMP}
  end) as next`;

/**
 * Returns the position of the first new event after a restore or import, for the sequence in the file.
 * Readers may have cursors beyond the file: a position that was used before would be behind them, and
 * its event never read.
 */
export async function positionAfterLoading(ask: Ask, given: SequenceState): Promise<bigint> {
  const states = await sequencesOf(ask);
  const known = nextOf(states.find(({ name }) => name === given.name) ?? given);
  const [row] = await ask<{ next: string }>(NEXT_POSITION, [`${nextOf(given)}`, `${known}`]);
  return BigInt(row?.next ?? known);
}
