import type { Api, Row } from './api.ts';

/** The polling interval if no stream can be opened. */
const POLL_MS = 4_000;
const POLL_MAX_MS = 60_000;
/** The delay after a stream broke: short, with jitter, so that visitors do not reconnect at once. */
const AGAIN_MS = 1_500;
/** An open stream is checked by polling: it may be dead without the browser noticing. */
const CHECK_STREAM_MS = 60_000;
/** A hidden page does not poll. It waits at most this long to become visible. */
const HIDDEN_MS = 3_600_000;
/** If no stream can be opened, every fifth round tries again. */
const ROUNDS_PER_TRY = 5;
const TRIES_AT_ONCE = 2;

interface Listener {
  readonly cursor: () => string | undefined;
  /** Returns true if any of them was new. */
  readonly take: (rows: readonly Row[]) => boolean;
  /** Called when the server does not know the session any more; no request follows. */
  readonly gone: () => void;
  readonly connected: (isConnected: boolean) => void;
  /** Called when the team begins to type, for so many milliseconds, or stops: 0. */
  readonly typing: (forMs: number) => void;
}

/**
 * Receives a session's messages until `signal` ends it: the history first, then new ones by
 * server-sent events or, if those are blocked, by polling. It pauses while the page is hidden.
 * Messages from the time without a connection are fetched by `after`.
 */
export async function follow(
  api: Api,
  sessionId: string,
  listener: Listener,
  signal: AbortSignal,
): Promise<void> {
  const poll = async (): Promise<PollResult> => {
    const { data, refusal } = await api.messages(sessionId, listener.cursor());
    if (signal.aborted || refusal?.status === 404) {
      return signal.aborted ? 'ended' : 'gone';
    }
    listener.connected(data !== undefined || refusal?.status === 429);
    return data === undefined ? Math.max(refusal.waitS, 1) : listener.take(data) ? 'new' : 'same';
  };
  for (let failures = 0; !signal.aborted; failures += 1) {
    if (document.hidden) {
      await pause(HIDDEN_MS, signal);
      failures = -1;
      continue;
    }
    const polled = await poll();
    if (polled === 'gone') {
      return listener.gone();
    }
    const refused = typeof polled === 'number';
    if (!refused && (failures < TRIES_AT_ONCE || failures % ROUNDS_PER_TRY === 0)) {
      const wasOpen = await stream(
        api.streamUrl(sessionId, listener.cursor()),
        listener,
        poll,
        signal,
      );
      failures = wasOpen ? -1 : failures;
    }
    await pause(delay(failures, refused ? polled : 0), signal);
  }
}

/** The result of a poll; a number: the seconds that a refusal asks to wait. */
type PollResult = 'new' | 'same' | 'gone' | 'ended' | number;

/** Follows the stream, and polls now and then for messages that it missed. */
async function stream(
  url: string,
  listener: Listener,
  poll: () => Promise<PollResult>,
  signal: AbortSignal,
): Promise<boolean> {
  const over = new AbortController();
  const end = () => over.abort();
  const checkStream = async () => {
    // Polling found a message that the stream missed: open the stream again.
    if ((await poll()) !== 'same') {
      end();
    }
  };
  const timer = setInterval(() => void checkStream(), CHECK_STREAM_MS);
  signal.addEventListener('abort', end, over);
  document.addEventListener('visibilitychange', end, over);
  const wasOpen = await followStream(
    url,
    {
      opened: () => listener.connected(true),
      row: (row) => listener.take([row]),
      typing: listener.typing,
    },
    over.signal,
  );
  clearInterval(timer);
  end();
  return wasOpen;
}

function delay(failures: number, waitS: number): number {
  const spread = 0.5 + Math.random();
  if (failures < 0) {
    return AGAIN_MS * spread;
  }
  const refused = waitS > 0 ? POLL_MS * 2 ** Math.min(failures, 6) : POLL_MS;
  return Math.max(waitS * 1000, Math.min(refused, POLL_MAX_MS)) * spread;
}

/** Waits; ends early when the browser is online again, the page becomes visible, or `signal` aborts. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = new AbortController();
    const end = () => {
      clearTimeout(timer);
      over.abort();
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, over);
    window.addEventListener('online', end, over);
    document.addEventListener('visibilitychange', end, over);
  });
}

/** A stream that does not open within this time counts as blocked. */
const OPENS_WITHIN_MS = 15_000;

interface StreamListener {
  readonly opened: () => void;
  readonly row: (row: Row) => void;
  readonly typing: (forMs: number) => void;
}

/** Follows server-sent events until they break or `signal` ends them; returns true if any arrived. */
function followStream(url: string, listener: StreamListener, signal: AbortSignal) {
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
    const row = parse(data) as Row | undefined;
    if (row !== undefined) {
      listener.row(row);
    }
  });
  source.addEventListener('typing', ({ data }: MessageEvent<string>) => {
    const typing = parse(data) as { readonly forMs?: number } | undefined;
    listener.typing(typing?.forMs ?? 0);
  });
  // The browser would reconnect by itself, at once and from the start of this stream.
  source.addEventListener('error', end);
  return promise;
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data);
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
