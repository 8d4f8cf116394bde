import type { Changes } from '../notify/changes.ts';

const ENTRIES_MAX = 20_000;

/**
 * Returns a function that caches the results of `load` until one of the tables changes. It loads at
 * every call while notices may be lost, and for missing values. Results of `loadInstead` are not cached.
 */
export function notifiedCache<V extends object>(
  changes: Changes,
  tables: readonly string[],
  load: (key: string) => Promise<V | undefined>,
): (key: string, loadInstead?: typeof load) => V | undefined | Promise<V | undefined> {
  let entries = new Map<string, V>();
  for (const table of tables) {
    changes.watch(table, () => {
      entries = new Map();
    });
  }
  return (key, loadInstead) => {
    const known = changes.isListening ? entries.get(key) : undefined;
    return known ?? (loadInstead ? loadInstead(key) : loadInto(entries, key, load));
  };
}

/** A notice during the load replaces the map, so a stale result is not kept. */
async function loadInto<V extends object>(
  entries: Map<string, V>,
  key: string,
  load: (key: string) => Promise<V | undefined>,
): Promise<V | undefined> {
  const value = await load(key);
  if (value) {
    if (entries.size >= ENTRIES_MAX) {
      entries.clear();
    }
    entries.set(key, value);
  }
  return value;
}
