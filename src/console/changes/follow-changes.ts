import type { StreamEvent } from '#core/endpoint/stream-endpoint.ts';
import type { View } from '#core/work.ts';
import { newWakeSignal } from '#lib/wake-signal.ts';
import { isExpired, positionOf, positionText, type Position } from './position.ts';
import { currentPosition, readChanges, type Batch, type Change } from './read-changes.ts';
import { watchChanges } from './watch-changes.ts';

interface FollowOptions {
  /** The process: its streams share their looks into the database. */
  readonly process: object;
  readonly clock: () => Date;
  /** The topics to yield; all unless given. */
  readonly topics?: ReadonlySet<string> | undefined;
  readonly lastEventId: string | undefined;
  readonly signal: AbortSignal;
}

/** How often a quiet stream gets a position that expires later. */
const REFRESH_MS = 10 * 60_000;

/**
 * Yields the changes of a sub-account after the reader's last event, then new ones as they happen, until
 * the signal aborts. A reader that was away for too long, or missed too many, gets `reset` and reloads.
 */
export async function* followChanges(
  view: View,
  { process, clock, topics, lastEventId, signal }: FollowOptions,
): AsyncGenerator<StreamEvent> {
  const wake = newWakeSignal();
  const stop = watchChanges(process, view, wake.notify);
  signal.addEventListener('abort', wake.notify);
  try {
    const now = await currentPosition(view, clock());
    const given = positionOf(lastEventId);
    const isKnown = given !== undefined && given.epoch === now.epoch && !isExpired(given, clock());
    let position = isKnown ? given : now;
    // Also for a reader without changes: it needs a position to come back to.
    yield notice(isKnown || lastEventId === undefined ? 'ready' : 'reset', position);
    while (!signal.aborted) {
      const batch = await readChanges(view, position);
      const next = { at: clock().getTime(), epoch: batch.epoch, since: batch.upTo };
      if (batch.isTooMany || batch.epoch !== position.epoch) {
        position = await currentPosition(view, clock());
        yield notice('reset', position);
        continue;
      }
      const changes = batch.changes.filter(({ topic }) => topics?.has(topic) ?? true);
      yield* eventsOf({ ...batch, changes }, position, next);
      if (batch.changes.length === 0 && next.at - position.at > REFRESH_MS) {
        yield notice('ready', next);
        position = next;
      }
      position = batch.changes.length > 0 ? next : position;
      await wake.wait(REFRESH_MS);
    }
  } finally {
    stop();
    signal.removeEventListener('abort', wake.notify);
  }
}

/** `ready`: changes follow. `reset`: some may be missing, so that the reader reloads what it shows. */
const notice = (topic: 'ready' | 'reset', position: Position): StreamEvent => ({
  id: positionText(position),
  event: topic,
  data: JSON.stringify({ topic, id: null }),
});

/** Each event has the position after it, so that a stream can end between two of them. */
function* eventsOf(
  { changes, upTo }: Batch,
  position: Position,
  next: Position,
): Generator<StreamEvent> {
  // A batch that was begun before ends with the snapshot of this read.
  const { since } = position;
  for (const [index, change] of changes.entries()) {
    const { xid, id } = change;
    const isLast = index === changes.length - 1;
    const after = isLast ? next : { ...next, since, within: { upTo, xid, id } };
    yield { id: positionText(after), event: 'message', data: dataOf(change) };
  }
}

const dataOf = ({ topic, recordId, conversationId }: Change): string =>
  JSON.stringify({ topic, id: recordId, ...(conversationId !== null && { conversationId }) });
