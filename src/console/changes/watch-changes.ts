import type { View } from '#core/work.ts';
import { FIND_CHANGED } from './read-changes.ts';

/** How long a change waits for the next look. A NOTIFY per change would delay every commit. */
const LOOK_EVERY_MS = 100;

type Rows = View['rows'];

/** The sub-accounts that the streams of one process follow, with the signals of the streams. */
type Watched = Map<string, Set<() => void>>;

/** By the process's own object, such as its tools: a test runs several in one. */
const watchedOf = new WeakMap<object, Watched>();

/**
 * Calls `wake` after changes of the view's sub-account, and once at the beginning. One look serves all
 * streams of a process, and none happens without streams. Returns a function that stops it.
 */
export function watchChanges(
  process: object,
  { subAccountId, rows }: View,
  wake: () => void,
): () => void {
  const watched: Watched = watchedOf.get(process) ?? new Map();
  const isLooking = watched.size > 0;
  const signals = watched.get(subAccountId) ?? new Set();
  watched.set(subAccountId, signals.add(wake));
  watchedOf.set(process, watched);
  wake();
  if (!isLooking) {
    void lookUntilUnwatched(watched, rows);
  }
  return () => {
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
  readonly snapshot: string;
  readonly changed: readonly string[];
}

/** Everything is news to the first look: it signals every stream that has changes at all. */
const NOTHING_SEEN = '1:1:';

async function lookUntilUnwatched(watched: Watched, rows: Rows): Promise<void> {
  let snapshot = NOTHING_SEEN;
  while (watched.size > 0) {
    // While the database is away, the streams notice it themselves.
    const found = await rows<Look>(FIND_CHANGED, [[...watched.keys()], snapshot]).catch(() => []);
    for (const look of found) {
      snapshot = look.snapshot;
      look.changed.forEach((id) => watched.get(id)?.forEach((wake) => wake()));
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
