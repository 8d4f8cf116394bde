/** Calls a function for each of many requests when their signal aborts. */
interface AbortWatch<T> {
  add(signal: AbortSignal | undefined, request: T): void;
  remove(signal: AbortSignal | undefined, request: T): void;
}

interface Watched<T> {
  readonly requests: Set<T>;
  readonly listen: () => void;
}

/**
 * Listens once per signal, while it has requests: adding and removing a listener for each of them costs
 * as much as sending it (bench: deliver-webhooks).
 */
export function openAbortWatch<T>(onAbort: (request: T) => void): AbortWatch<T> {
  const all = new WeakMap<AbortSignal, Watched<T>>();
  const watchedBy = (signal: AbortSignal): Watched<T> => {
    const known = all.get(signal);
    if (known) {
      return known;
    }
    const requests = new Set<T>();
    const watched = { requests, listen: () => requests.forEach(onAbort) };
    all.set(signal, watched);
    return watched;
  };
  return {
    add(signal, request) {
      if (signal) {
        const { requests, listen } = watchedBy(signal);
        if (requests.size === 0) {
          signal.addEventListener('abort', listen);
        }
        requests.add(request);
      }
    },
    remove(signal, request) {
      const watched = signal && all.get(signal);
      if (watched?.requests.delete(request) && watched.requests.size === 0) {
        signal?.removeEventListener('abort', watched.listen);
      }
    },
  };
}
