/* oxlint-disable unicorn/require-post-message-target-origin -- a channel has one origin only */
/** Something that changed: a page fetches it from the endpoints. */
export interface Change {
  readonly topic: string;
  readonly id: string;
  /** Of a message. */
  readonly conversationId?: string;
}

interface StreamListener {
  readonly onChange: (change: Change) => void;
  /** Changes may have been missed. */
  readonly onGap: () => void;
  readonly onConnection: (state: 'open' | 'lost') => void;
  /** The server, or what is before it, has refused the connection. */
  readonly onRefused: () => void;
}

type Broadcast =
  | { readonly kind: 'change'; readonly change: Change }
  | { readonly kind: 'gap' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'connection'; readonly state: 'open' | 'lost' }
  | { readonly kind: 'ask' };

/**
 * Follows the changes of a sub-account until the returned function is called. The tabs of a browser
 * share one connection: the tab that holds the lock has it, and passes on what it receives. When that
 * tab is closed, the next one takes over.
 */
export function followStream(subAccountId: string, listener: StreamListener): () => void {
  const ending = new AbortController();
  const channel = new BroadcastChannel(`frontdesk:${subAccountId}`);
  const deliver = (message: Broadcast) => {
    if (message.kind === 'change') {
      listener.onChange(message.change);
    } else if (message.kind === 'gap') {
      listener.onGap();
    } else if (message.kind === 'refused') {
      listener.onRefused();
    } else if (message.kind === 'connection') {
      listener.onConnection(message.state);
    }
  };
  const publish = (message: Broadcast) => {
    channel.postMessage(message);
    deliver(message);
  };
  channel.addEventListener('message', ({ data }: MessageEvent<Broadcast>) => deliver(data));
  const lead = () => connect(subAccountId, { publish, channel, signal: ending.signal });
  // Browsers offer locks to secure pages only: elsewhere, each tab has its own connection.
  if ('locks' in navigator) {
    navigator.locks
      .request(`frontdesk:${subAccountId}`, { signal: ending.signal }, lead)
      .catch(() => undefined);
    channel.postMessage({ kind: 'ask' } satisfies Broadcast);
  } else {
    void lead();
  }
  return () => {
    ending.abort();
    channel.close();
  };
}

const FIRST_RETRY_MS = 500;
const RETRY_MAX_MS = 10_000;

interface Leader {
  readonly publish: (message: Broadcast) => void;
  readonly channel: BroadcastChannel;
  readonly signal: AbortSignal;
}

/** Tells tabs that open later whether there is a connection. */
function answerAsks(channel: BroadcastChannel, state: () => 'open' | 'lost'): void {
  channel.addEventListener('message', ({ data }: MessageEvent<Broadcast>) => {
    if (data.kind === 'ask') {
      channel.postMessage({ kind: 'connection', state: state() } satisfies Broadcast);
    }
  });
}

const CHECK_MS = 5_000;

/**
 * Calls back with whether the server can be reached, when the browser says that its network has changed.
 * Browsers keep connections open that lead nowhere; a server on the same machine stays reachable.
 */
function watchNetwork(signal: AbortSignal, onChecked: (isReachable: boolean) => void): void {
  const check = async () => {
    try {
      await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(CHECK_MS) });
      onChecked(true);
    } catch {
      onChecked(false);
    }
  };
  addEventListener('offline', () => void check(), { signal });
  addEventListener('online', () => void check(), { signal });
}

/** Passes on what the connection brings. */
function passOn(source: EventSource, publish: Leader['publish']): void {
  source.addEventListener('message', ({ data }) =>
    publish({ kind: 'change', change: JSON.parse(String(data)) as Change }),
  );
  // The server lost the place: changes may be missing.
  source.addEventListener('reset', () => publish({ kind: 'gap' }));
  source.addEventListener('error', () => {
    if (source.readyState === EventSource.CLOSED) {
      publish({ kind: 'refused' });
    }
  });
}

/** Holds the connection; resolves when the page leaves. */
function connect(subAccountId: string, { publish, channel, signal }: Leader): Promise<void> {
  return new Promise((resolve) => {
    let source: EventSource | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let retryMs = FIRST_RETRY_MS;
    let state: 'open' | 'lost' = 'open';
    /** The browser resumes its own connections without a gap, but not a new one of ours. */
    let isFresh = true;
    const open = () => {
      source = new EventSource(
        `/console/api/v1/stream?subAccountId=${encodeURIComponent(subAccountId)}`,
      );
      source.addEventListener('open', () => {
        retryMs = FIRST_RETRY_MS;
        state = 'open';
        publish({ kind: 'connection', state });
      });
      // Not before: what is fetched while the server finds its place may lack a change before that place.
      source.addEventListener('ready', () => {
        if (isFresh) {
          publish({ kind: 'gap' });
        }
        isFresh = false;
      });
      passOn(source, publish);
      source.addEventListener('error', lose);
    };
    const lose = () => {
      state = 'lost';
      publish({ kind: 'connection', state });
      if (source?.readyState === EventSource.CLOSED) {
        // Refused, such as after the session or during a restart: browsers do not try again then.
        isFresh = true;
        clearTimeout(timer);
        timer = setTimeout(open, retryMs);
        retryMs = Math.min(2 * retryMs, RETRY_MAX_MS);
      }
    };
    watchNetwork(signal, (isReachable) => {
      if (!isReachable) {
        source?.close();
        lose();
      } else if (source?.readyState === EventSource.CLOSED) {
        clearTimeout(timer);
        open();
      }
    });
    answerAsks(channel, () => state);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      source?.close();
      resolve();
    });
    open();
  });
}
