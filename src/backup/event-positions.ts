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
const POSITION_OF_NOW = `select (${MICROSECONDS} / 2)::bigint as now`;

/** More than are published between a backup and its restore, if the clock is behind the backup. */
const JUMP = 1_000_000_000n;

/**
 * Returns the first position after a restore, for the sequence in the backup. Readers may have cursors
 * beyond the backup: a position that was used before would be behind them, and its event never read.
 */
export async function positionAfterRestore(ask: Ask, given: SequenceState): Promise<bigint> {
  const states = await sequencesOf(ask);
  const replaced = nextOf(states.find(({ name }) => name === given.name) ?? given);
  const [clock] = await ask<{ now: string }>(POSITION_OF_NOW);
  const now = BigInt(clock?.now ?? 0);
  const next = now > nextOf(given) ? now : nextOf(given) + JUMP;
  return next > replaced ? next : replaced;
}
