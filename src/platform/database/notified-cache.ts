import type { Changes } from '../notify/changes.ts';

const ENTRIES_MAX = 20_000;

/**
 * Remembers what `load` answers until one of the tables changes. While notices may be lost, and for
 * what is not there, every call loads. What a call loads in its own way is not remembered.
 */
export function notifiedCache<V extends object>(
  changes: Changes,
  tables: readonly string[],
  load: (key: string) => Promise<V | undefined>,
): (key: string, inItsWay?: typeof load) => V | undefined | Promise<V | undefined> {
  let entries = new Map<string, V>();
  for (const table of tables) {
    changes.onChange(table, () => {
      entries = new Map();
    });
  }
  return (key, inItsWay) => {
    const known = changes.isListening ? entries.get(key) : undefined;
    return known ?? (inItsWay ? inItsWay(key) : loadInto(entries, key, load));
  };
}

/** A change that is heard while loading replaces the map, so that the stale answer is not kept. */
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
