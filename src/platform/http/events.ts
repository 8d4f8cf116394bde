import type { StreamEvent } from '#core/endpoint/stream-endpoint.ts';
import { Fault } from '#core/fault.ts';
import { type Activity, currentActivity, inActivity, untilEscaped } from '../process/activity.ts';

/** Proxies and browsers close connections that are silent for longer. */
const HEARTBEAT_MS = 15_000;
/** How soon a browser reconnects. */
const RETRY_MS = 2_000;
const OF_ONE_VISITOR_MAX = 50;
/** A reader that took nothing for this many heartbeats is gone. */
const UNREAD_BEATS_MAX = 4;

type Follow = (signal: AbortSignal) => AsyncIterable<StreamEvent>;

/** The streams that are open in this process. */
export interface Streams {
  /** Throws RATE_LIMITED if the visitor has too many streams open. */
  open(visitor: string, follow: Follow): ReadableStream<Uint8Array>;
  /** Ends all streams: their readers reconnect, to another process. */
  close(): void;
}

export function openStreams(heartbeatMs = HEARTBEAT_MS): Streams {
  const closing = new AbortController();
  const open = new Map<string, number>();
  const count = (visitor: string, change: 1 | -1) => {
    const now = (open.get(visitor) ?? 0) + change;
    return now > 0 ? open.set(visitor, now) : open.delete(visitor);
  };
  return {
    open(visitor, follow) {
      if ((open.get(visitor) ?? 0) >= OF_ONE_VISITOR_MAX) {
        const message = `too many event streams are open, at most ${OF_ONE_VISITOR_MAX} per user or address`;
        throw new Fault('RATE_LIMITED', message, undefined, {
          'retry-after': '30',
        });
      }
      count(visitor, 1);
      const onEnd = () => count(visitor, -1);
      const id = currentActivity()?.id ?? crypto.randomUUID();
      const activity = { kind: 'stream', id } as const;
      const options = { activity, closing: closing.signal, heartbeatMs, onEnd };
      return inActivity(activity, () => eventStream(follow, options));
    },
    close: () => closing.abort(),
  };
}

interface StreamOptions {
  readonly activity: Activity;
  readonly closing: AbortSignal;
  readonly heartbeatMs: number;
  readonly onEnd: () => void;
}

/** Requests the next event when the previous one is read, so that no events pile up for slow readers. */
function eventStream(
  follow: Follow,
  { activity, closing, heartbeatMs, onEnd }: StreamOptions,
): ReadableStream<Uint8Array> {
  const over = new AbortController();
  const events = follow(over.signal)[Symbol.asyncIterator]();
  const whenOver = (then: () => void) => over.signal.addEventListener('abort', then);
  // The signal ends an iterator that waits for an event; `return` ends an idle one.
  whenOver(() => void events.return?.().catch(() => undefined));
  whenOver(onEnd);
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const say = (text: string) => controller.enqueue(encoder.encode(text));
      const isRead = () => (controller.desiredSize ?? 0) > 0;
      let unread = 0;
      const beat = () => {
        unread = isRead() ? 0 : unread + 1;
        if (unread > UNREAD_BEATS_MAX) {
          drop();
        } else if (unread === 0) {
          say(':\n\n');
        }
      };
      const drop = () => {
        over.abort();
        controller.error(new Error('the stream is not read'));
      };
      // If the reader is behind, its unread events would keep the connection open.
      const close = () => (isRead() ? over.abort() : drop());
      const beating = setInterval(beat, heartbeatMs);
      closing.addEventListener('abort', close);
      whenOver(() => {
        clearInterval(beating);
        closing.removeEventListener('abort', close);
      });
      say(`retry: ${RETRY_MS}\n\n`);
      if (closing.aborted) {
        over.abort();
      }
    },
    async pull(controller) {
      // The reader reconnects, and then gets the error as a response.
      const next = await inActivity(activity, () => untilEscaped(() => events.next())).catch(
        () => DONE,
      );
      if (next.done) {
        over.abort();
        controller.close();
      } else {
        controller.enqueue(encoder.encode(lineOf(next.value)));
      }
    },
    cancel: () => over.abort(),
  });
}

const DONE = { done: true, value: undefined } as const;

const encoder = new TextEncoder();

/** Data is JSON, which contains no line breaks. */
const lineOf = ({ id, event, data }: StreamEvent): string =>
  `id: ${id}\nevent: ${event}\ndata: ${data}\n\n`;
