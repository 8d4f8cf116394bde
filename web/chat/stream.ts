import type { Row } from './row.ts';

/** A stream that does not open by then is taken for blocked on the way. */
const OPENS_WITHIN_MS = 15_000;

interface Listener {
  readonly opened: () => void;
  readonly row: (row: Row) => void;
}

/** Follows server-sent events until they break off or `signal` ends them; true if they ever came. */
export function followStream(url: string, listener: Listener, signal: AbortSignal) {
  const { promise, resolve } = withResolvers<boolean>();
  const source = new EventSource(url);
  let isOpen = false;
  const end = () => {
    source.close();
    clearTimeout(timer);
    resolve(isOpen);
  };
  const timer = setTimeout(end, OPENS_WITHIN_MS);
  signal.addEventListener('abort', end);
  source.addEventListener('open', () => {
    isOpen = true;
    clearTimeout(timer);
    listener.opened();
  });
  source.addEventListener('message', ({ data }: MessageEvent<string>) => {
    const row = parse(data);
    if (row !== undefined) {
      listener.row(row);
    }
  });
  // The browser would connect again by itself, at once and from where this stream began.
  source.addEventListener('error', end);
  return promise;
}

function parse(data: string): Row | undefined {
  try {
    return JSON.parse(data) as Row;
  } catch {
    return undefined;
  }
}

/** `Promise.withResolvers`, which browsers have since 2024 only. */
function withResolvers<T>() {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
