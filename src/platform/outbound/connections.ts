import type { Socket } from 'node:net';
import type { Target } from './guard.ts';

/** Connections that idle for longer are more often found closed when they are reused. */
export const KEEP_MS = 4_000;
const SWEEP_MS = 1_000;

/** Opens a checked connection (`guardConnector`). */
export type Connect = (
  options: ConnectOptions,
  callback: (...result: [null, Socket] | [Error, null]) => void,
) => void;

interface ConnectOptions {
  readonly protocol: string;
  /** An IPv6 address has no brackets here. */
  readonly hostname: string;
  /** With the port, as in a Host header. */
  readonly host: string;
  readonly port: string;
}

/** A connection, and the request that uses it. */
export interface Connection<R> {
  readonly socket: Socket;
  request: R | undefined;
  /** Whether an earlier request has used it: the peer may be closing it. */
  isReused: boolean;
  idleUntil: number;
  error: Error | undefined;
}

/** What a connection does for its request. */
export interface ConnectionUser<R> {
  /** Returns false if the request was given up while the connection was opened. */
  readonly start: (request: R, connection: Connection<R>) => boolean;
  readonly receive: (request: R, bytes: Buffer) => void;
  /** The connection has ended; without an error the peer closed it. */
  readonly end: (request: R, error: Error | undefined) => void;
  readonly failToConnect: (request: R, error: Error) => void;
}

interface PoolOptions<R> {
  readonly connect: Connect;
  readonly target: Target;
  readonly user: ConnectionUser<R>;
  readonly onUnused: () => void;
}

/** The connections to one origin, each with one request at a time. Callers limit the requests. */
export interface Pool<R> {
  readonly options: PoolOptions<R>;
  readonly all: Set<Connection<R>>;
  readonly idle: Connection<R>[];
  opening: number;
  isClosed: boolean;
  sweeping: NodeJS.Timeout | undefined;
}

export const newPool = <R>(options: PoolOptions<R>): Pool<R> => ({
  options,
  all: new Set(),
  idle: [],
  opening: 0,
  isClosed: false,
  sweeping: undefined,
});

/** Starts a request on an idle connection, if it may use one, or on a new one. */
export function assignConnection<R>(pool: Pool<R>, request: R, mayReuse: boolean): void {
  const connection = mayReuse ? nextIdle(pool) : undefined;
  if (connection) {
    connection.socket.ref();
    startOn(pool, connection, request);
  } else {
    open(pool, request);
  }
}

/** Ends the use of a connection by its request, and keeps it for this time for the next one. */
export function releaseConnection<R>(
  pool: Pool<R>,
  connection: Connection<R>,
  keepMs: number,
): void {
  connection.request = undefined;
  connection.isReused = true;
  keep(pool, connection, keepMs);
}

export function closePool<R>(pool: Pool<R>): void {
  pool.isClosed = true;
  pool.all.forEach(({ socket }) => socket.destroy());
}

function startOn<R>(pool: Pool<R>, connection: Connection<R>, request: R): void {
  connection.request = request;
  if (!pool.options.user.start(request, connection)) {
    connection.request = undefined;
    keep(pool, connection, KEEP_MS);
  }
}

/** Returns the connection that was used last: it is the least likely to be closing. */
function nextIdle<R>(pool: Pool<R>): Connection<R> | undefined {
  const now = performance.now();
  let connection = pool.idle.pop();
  while (connection && (connection.idleUntil <= now || connection.socket.destroyed)) {
    connection.socket.destroy();
    connection = pool.idle.pop();
  }
  return connection;
}

function open<R>(pool: Pool<R>, request: R): void {
  const { connect, target, user } = pool.options;
  pool.opening += 1;
  connect(optionsOf(target), (error, socket) => {
    pool.opening -= 1;
    if (error) {
      user.failToConnect(request, error);
      dropIfUnused(pool);
    } else {
      startOn(pool, attend(pool, socket), request);
    }
  });
}

function attend<R>(pool: Pool<R>, socket: Socket): Connection<R> {
  const connection = connectionOf<R>(socket);
  pool.all.add(connection);
  socket.on('data', (bytes: Buffer) => {
    if (connection.request === undefined) {
      socket.destroy();
    } else {
      pool.options.user.receive(connection.request, bytes);
    }
  });
  socket.on('error', (error) => (connection.error = error));
  socket.on('end', () => end(pool, connection));
  socket.on('close', () => {
    end(pool, connection);
    pool.all.delete(connection);
    dropIfUnused(pool);
  });
  return connection;
}

function end<R>(pool: Pool<R>, connection: Connection<R>): void {
  const { request, error } = connection;
  connection.request = undefined;
  const place = pool.idle.indexOf(connection);
  if (place !== -1) {
    pool.idle.splice(place, 1);
  }
  if (request !== undefined) {
    pool.options.user.end(request, error);
  }
  connection.socket.destroy();
}

function dropIfUnused<R>(pool: Pool<R>): void {
  if (pool.all.size + pool.opening === 0) {
    clearInterval(pool.sweeping);
    pool.sweeping = undefined;
    pool.options.onUnused();
  }
}

/** An idle connection does not keep the process alive. */
function keep<R>(pool: Pool<R>, connection: Connection<R>, keepMs: number): void {
  if (keepMs <= 0 || pool.isClosed) {
    connection.socket.destroy();
    return;
  }
  connection.idleUntil = performance.now() + keepMs;
  connection.socket.unref();
  pool.idle.push(connection);
  pool.sweeping ??= setInterval(() => sweep(pool), SWEEP_MS).unref();
}

function sweep<R>(pool: Pool<R>): void {
  const now = performance.now();
  for (const { idleUntil, socket } of pool.idle) {
    if (idleUntil <= now) {
      // Its `close` takes it off the list.
      socket.destroy();
    }
  }
}

const connectionOf = <R>(socket: Socket): Connection<R> => ({
  socket,
  request: undefined,
  isReused: false,
  idleUntil: 0,
  error: undefined,
});

const optionsOf = ({ origin, hostname }: Target): ConnectOptions => {
  const { protocol, host, port } = new URL(origin);
  return { protocol, hostname, host, port };
};
