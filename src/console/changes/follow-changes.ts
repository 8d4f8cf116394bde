import type { StreamEvent } from '#core/endpoint/stream-endpoint.ts';
import type { Notifications } from '#core/tools.ts';
import type { View } from '#core/work.ts';
import { newWakeSignal } from '#lib/wake-signal.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import { isExpired, positionOf, positionText, type Position } from './position.ts';
import {
  currentPosition,
  readChanges,
  type Batch,
  type Change,
  FIND_CHANGED,
} from './read-changes.ts';

interface FollowOptions {
  /** Of the process: its streams share their looks into the database. */
  readonly process: Notifications;
  readonly clock: () => Date;
  /** The topics to yield; all unless given. */
  readonly topics?: ReadonlySet<string> | undefined;
  readonly lastEventId: string | undefined;
  readonly signal: AbortSignal;
}

/** How often a quiet stream gets a position that expires later. */
const REFRESH_MS = 10 * MINUTE_MS;

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

/** How long a change waits for the next look. A NOTIFY per change would delay every commit. */
const LOOK_EVERY_MS = 100;

type Rows = View['rows'];

/** The sub-accounts that the streams of one process follow, with the signals of the streams. */
type Watched = Map<string, Set<() => void>>;

/** By the notifications of the process: a test runs several processes in one. */
const watchedOf = new WeakMap<Notifications, Watched>();

/** A restore empties the table, which a look cannot notice, and notifies with its name. */
const TABLE = 'changes';

/**
 * Calls `wake` after changes of the view's sub-account, and once at the beginning. One look serves all
 * streams of a process, and none happens without streams. Returns a function that stops it.
 */
function watchChanges(
  process: Notifications,
  { subAccountId, rows }: View,
  wake: () => void,
): () => void {
  const watched: Watched = watchedOf.get(process) ?? new Map();
  const isLooking = watched.size > 0;
  const signals = watched.get(subAccountId) ?? new Set();
  watched.set(subAccountId, signals.add(wake));
  watchedOf.set(process, watched);
  const stop = process.watch(TABLE, wake);
  wake();
  if (!isLooking) {
    void lookUntilUnwatched(watched, rows);
  }
  return () => {
    stop();
    signals.delete(wake);
    if (signals.size === 0 && watched.get(subAccountId) === signals) {
      watched.delete(subAccountId);
    }
    if (watched.size === 0 && watchedOf.get(process) === watched) {
      // The next stream begins a loop of its own.
      watchedOf.delete(process);
    }
  };
}

interface Look {
  readonly id: string;
  readonly snapshot: string;
}

/** Everything is news to the first look: it signals every stream that has changes at all. */
const NOTHING_SEEN = '1:1:';

async function lookUntilUnwatched(watched: Watched, rows: Rows): Promise<void> {
  /** The last snapshot with changes of each sub-account: those of two nodes cannot be compared. */
  const seen = new Map<string, string>();
  while (watched.size > 0) {
    const ids = [...watched.keys()];
    const values = [ids, ids.map((id) => seen.get(id) ?? NOTHING_SEEN)];
    // While the database or a node of it is away, the streams find out whether theirs is.
    const changed = await rows<Look>(FIND_CHANGED, values).catch(() => undefined);
    changed?.forEach(({ id, snapshot }) => seen.set(id, snapshot));
    for (const id of changed?.map((look) => look.id) ?? ids) {
      watched.get(id)?.forEach((wake) => wake());
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
