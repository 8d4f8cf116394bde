import { isIP } from 'node:net';
import { idleCache } from '#platform/database/idle-cache.ts';
import { isPublic } from '#platform/outbound/guard.ts';
import { sleep } from '#lib/abort.ts';
import { SECOND_MS } from '#lib/duration.ts';
import type { ChannelSetup } from '../../channels/channel.store.ts';
import {
  openConnection,
  type Envelope,
  type SmtpConnection,
  type SmtpServer,
} from './connection.ts';
import { outcomeOfEntry, type SmtpError, type SmtpOutcome } from './outcome.ts';
import type { WireText } from './wire-text.ts';

/** A pool that is not used for this long is dropped, and the channel's password with it. */
const KEPT_MS = 600_000;
/** A connection that carries nothing for this long is closed. */
const IDLE_MS = 8_000;

/** Messages never wait behind a campaign: each has connections of its own. */
export type MailUse = 'messages' | 'campaigns';

export const CONNECTIONS: Readonly<Record<MailUse, number>> = { messages: 5, campaigns: 10 };

interface PooledServer {
  readonly version: number;
  readonly pool: SmtpPool;
}

/** By channel, address and use. */
const pools = idleCache<PooledServer>({
  forMs: KEPT_MS,
  clock: () => performance.now(),
  dispose: ({ pool }) => pool.close(),
});

/** Returns the pool for a checked address of a channel's mail server; a new one if the channel changed. */
export function poolOf(setup: ChannelSetup, address: string, use: MailUse): SmtpPool {
  const version = setup.updatedAt.getTime();
  const { pool } = pools.use(
    `${setup.id}/${address}/${use}`,
    (known) => known.version === version,
    () => ({ version, pool: newPool(setup, address, use) }),
  );
  return pool;
}

/** Opens a pool that is not shared; the caller closes it. */
export function newPool(setup: ChannelSetup, address: string, use: MailUse): SmtpPool {
  const { ratePerSecond } = setup.settings as unknown as Settings;
  return openPool(serverOf(setup, address), {
    connections: CONNECTIONS[use],
    // Campaigns have a token bucket: a recipient is claimed only when its mail may be sent.
    ratePerSecond: use === 'messages' ? ratePerSecond : null,
  });
}

/** Opens a connection outside any pool; the caller closes it. Throws the SMTP error. */
export const connectTo = (
  setup: ChannelSetup,
  address: string,
  signal: AbortSignal,
): Promise<SmtpConnection> => openConnection(serverOf(setup, address), signal);

/**
 * Returns the server at a checked address. A password is sent over TLS, unless the server is in the
 * operator's own network: an attacker on the way could hide that a server on the internet offers TLS.
 */
export function serverOf({ settings, secrets }: ChannelSetup, address: string): SmtpServer {
  const { host, port, secure, user } = settings as unknown as Settings;
  return {
    host: address,
    port,
    secure,
    // The certificate is checked for the configured name.
    ...(isIP(host) === 0 && { tls: { servername: host } }),
    ...(user !== null && {
      auth: { user, pass: secrets['password'] ?? '' },
      requireTLS: isPublic(address),
    }),
  };
}

/** As the manifest's section stores them. */
interface Settings {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  readonly user: string | null;
  readonly ratePerSecond: number | null;
}

export interface SmtpPool {
  /**
   * Sends over the first free connection; waiting mails go in order. Never rejects. An abort ends the
   * wait, or a mail whose text the server has not begun to take: the result is `again`.
   */
  send(envelope: Envelope, mail: WireText, signal?: AbortSignal): Promise<SmtpOutcome>;
  /** Closes idle connections now and the others after their mail. Waiting mails are still sent. */
  close(): void;
}

interface PoolOptions {
  /** Maximum number of connections; they are opened when needed. */
  readonly connections: number;
  /** Maximum number of mails per second, evenly spaced; null: no limit. */
  readonly ratePerSecond?: number | null;
}

function openPool(
  server: SmtpServer,
  { connections, ratePerSecond = null }: PoolOptions,
): SmtpPool {
  const { obtain, release, close } = placesFor(connections);
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
          release(connection);
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
      await sleep(startAt - now, signal);
    }
  };
}

type WaitingCaller = (connection: SmtpConnection | undefined) => void;

/** Limits connections. A place comes with an idle connection if there is one; else the caller opens one. */
function placesFor(count: number) {
  const free: SmtpConnection[] = [];
  const waiting = new Set<WaitingCaller>();
  let used = 0;
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
      if (used < count) {
        used += 1;
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
    release(connection: SmtpConnection | undefined): void {
      const usable = connection?.isOpen() ? connection : undefined;
      const [next] = waiting;
      if (next) {
        waiting.delete(next);
        next(usable);
        return;
      }
      used -= 1;
      if (usable) {
        free.push(usable);
      }
      if (isClosed) {
        closeFree();
      } else if (used === 0) {
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
