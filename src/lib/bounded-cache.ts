/**
 * Returns a cache of values that are expensive to create. When it is full it is emptied, so that keys
 * chosen by callers cannot fill the memory.
 */
export function boundedCache<T>(entriesMax: number): (key: string, create: () => T) => T {
  const entries = new Map<string, T>();
  return (key, create) => {
    const known = entries.get(key);
    if (known !== undefined) {
      return known;
    }
    if (entries.size >= entriesMax) {
      entries.clear();
    }
    const created = create();
    entries.set(key, created);
    return created;
  };
}
