import { setTimeout as sleep } from 'node:timers/promises';
import {
  openConnection,
  type Envelope,
  type SmtpConnection,
  type SmtpServer,
} from './connection.ts';
import { outcomeOfEntry, type SmtpError, type SmtpOutcome } from './outcome.ts';

/** A connection that carries nothing for this long is closed. */
const IDLE_MS = 8_000;
const SECOND_MS = 1_000;

export interface SmtpPool {
  /**
   * Sends over the first connection that is free; waiting mails go in order. Never rejects. An abort
   * ends the wait, or a mail whose text the server has not begun to take: then it is `again`.
   */
  send(envelope: Envelope, mail: Buffer, signal?: AbortSignal): Promise<SmtpOutcome>;
  /** Closes idle connections now, and each of the others after its mail. Waiting mails still go. */
  close(): void;
}

interface PoolOptions {
  /** At most so many connections, opened as they are needed. */
  readonly connections: number;
  /** Mails start evenly spaced, at most so many a second; null for no limit. */
  readonly ratePerSecond?: number | null;
}

export function openPool(
  server: SmtpServer,
  { connections, ratePerSecond = null }: PoolOptions,
): SmtpPool {
  const { obtain, giveBack, close } = placesFor(connections);
  const waitForPlace = spacing(ratePerSecond);
  return {
    async send(envelope, mail, signal) {
      let connection: SmtpConnection | undefined;
      let hasPlace = false;
      try {
        await waitForPlace(signal);
        connection = await obtain(signal);
        hasPlace = true;
        connection ??= await openConnection(server, signal);
        return await connection.send(envelope, mail, signal);
      } catch (error) {
        return outcomeOfEntry(error as SmtpError);
      } finally {
        if (hasPlace) {
          giveBack(connection);
        }
      }
    },
    close,
  };
}

/** Spaces starts so that no second has more of them than the rate. */
function spacing(perSecond: number | null) {
  let nextAt = 0;
  return async (signal: AbortSignal | undefined): Promise<void> => {
    if (perSecond === null) {
      return;
    }
    const now = performance.now();
    const startAt = Math.max(now, nextAt);
    nextAt = startAt + SECOND_MS / perSecond;
    if (startAt > now) {
      await sleep(startAt - now, undefined, signal && { signal });
    }
  };
}

type WaitingCaller = (connection: SmtpConnection | undefined) => void;

/** A place comes with an idle connection where there is one; otherwise its holder may open one. */
function placesFor(count: number) {
  const free: SmtpConnection[] = [];
  const waiting = new Set<WaitingCaller>();
  let taken = 0;
  let isClosed = false;
  let idle: NodeJS.Timeout | undefined;
  const closeFree = () => free.splice(0).forEach((connection) => connection.close());
  const nextFree = (): SmtpConnection | undefined => {
    let connection = free.pop();
    while (connection && !connection.isOpen()) {
      connection = free.pop();
    }
    return connection;
  };
  return {
    async obtain(signal?: AbortSignal): Promise<SmtpConnection | undefined> {
      signal?.throwIfAborted();
      clearTimeout(idle);
      if (taken < count) {
        taken += 1;
        return nextFree();
      }
      const { promise, resolve, reject } = Promise.withResolvers<SmtpConnection | undefined>();
      const leave = () => {
        waiting.delete(resolve);
        reject(signal?.reason as Error);
      };
      waiting.add(resolve);
      signal?.addEventListener('abort', leave);
      return promise.finally(() => signal?.removeEventListener('abort', leave));
    },
    giveBack(connection: SmtpConnection | undefined): void {
      const usable = connection?.isOpen() ? connection : undefined;
      const [next] = waiting;
      if (next) {
        waiting.delete(next);
        next(usable);
        return;
      }
      taken -= 1;
      if (usable) {
        free.push(usable);
      }
      if (isClosed) {
        closeFree();
      } else if (taken === 0) {
        idle = setTimeout(closeFree, IDLE_MS).unref();
      }
    },
    close(): void {
      isClosed = true;
      clearTimeout(idle);
      closeFree();
    },
  };
}
