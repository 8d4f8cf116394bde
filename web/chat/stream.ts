import type { Row } from './api.ts';

/** A stream that does not open within this time counts as blocked. */
const OPENS_WITHIN_MS = 15_000;

interface Listener {
  readonly opened: () => void;
  readonly row: (row: Row) => void;
}

/** Follows server-sent events until they break or `signal` ends them; returns true if any arrived. */
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
  // The browser would reconnect by itself, at once and from the start of this stream.
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

/** `Promise.withResolvers`, which older browsers than 2024 lack. */
function withResolvers<T>() {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
