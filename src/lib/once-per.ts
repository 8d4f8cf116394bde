/** A function that runs once for each key; its result is kept as long as the key. */
export interface OncePer<K extends object, T> {
  (key: K): Promise<T>;
  /** Lets the next call with this key run the function again. */
  readonly forget: (key: K) => void;
}

/** Returns `act` as a function that runs once for each key, such as a Work. */
export function oncePer<K extends object, T>(act: (key: K) => Promise<T>): OncePer<K, T> {
  const results = new WeakMap<K, Promise<T>>();
  const once = (key: K): Promise<T> => {
    const known = results.get(key);
    if (known) {
      return known;
    }
    const result = act(key);
    results.set(key, result);
    return result;
  };
  return Object.assign(once, { forget: (key: K) => void results.delete(key) });
}
