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
