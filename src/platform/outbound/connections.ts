import type { Socket } from 'node:net';
import type { Target } from './guard.ts';

/** Keeps one receiver from using every port; callers limit their concurrency themselves. */
const CONNECTIONS_PER_ORIGIN = 128;

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
  /** Returns whether a request still waits for a connection. */
  readonly isWaiting: (request: R) => boolean;
  readonly start: (request: R, connection: Connection<R>) => void;
  readonly receive: (request: R, bytes: Buffer) => void;
  /** The connection has ended; without an error the peer closed it. */
  readonly end: (request: R, error: Error | undefined) => void;
  readonly failToConnect: (request: R, error: Error) => void;
}

interface PoolOptions<R> {
  readonly connect: Connect;
  readonly target: Target;
  readonly user: ConnectionUser<R>;
  /** Whether a connection that no request waits for any more is kept for the next one. */
  readonly keeps: boolean;
  readonly onUnused: () => void;
}

/** The connections to one origin: at most 128, each with one request at a time. */
export class Pool<R> {
  readonly #options: PoolOptions<R>;
  readonly #all = new Set<Connection<R>>();
  readonly #idle: Connection<R>[] = [];
  readonly #waiting: R[] = [];
  #opening = 0;
  #isClosed = false;
  #sweeping: NodeJS.Timeout | undefined;

  constructor(options: PoolOptions<R>) {
    this.#options = options;
  }

  /** Starts a request on an idle or a new connection, or once there is room for one. */
  use(request: R): void {
    const connection = this.#nextIdle();
    if (connection) {
      connection.socket.ref();
      this.#start(connection, request);
    } else if (this.#all.size + this.#opening < CONNECTIONS_PER_ORIGIN) {
      this.#open(request);
    } else {
      this.#waiting.push(request);
    }
  }

  /** Ends the use of a connection by its request, and keeps it for this time for the next one. */
  release(connection: Connection<R>, keepMs: number): void {
    connection.request = undefined;
    connection.isReused = true;
    const next = keepMs > 0 ? this.#nextWaiting() : undefined;
    if (next === undefined) {
      this.#keep(connection, keepMs);
    } else {
      this.#start(connection, next);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#all.forEach(({ socket }) => socket.destroy());
  }

  #start(connection: Connection<R>, request: R): void {
    connection.request = request;
    this.#options.user.start(request, connection);
  }

  /** Returns the connection that was used last: it is the least likely to be closing. */
  #nextIdle(): Connection<R> | undefined {
    const now = performance.now();
    let connection = this.#idle.pop();
    while (connection && (connection.idleUntil <= now || connection.socket.destroyed)) {
      connection.socket.destroy();
      connection = this.#idle.pop();
    }
    return connection;
  }

  #nextWaiting(): R | undefined {
    let request = this.#waiting.shift();
    while (request !== undefined && !this.#options.user.isWaiting(request)) {
      request = this.#waiting.shift();
    }
    return request;
  }

  #open(request: R): void {
    const { connect, target, user } = this.#options;
    this.#opening += 1;
    connect(optionsOf(target), (error, socket) => {
      this.#opening -= 1;
      if (error) {
        user.failToConnect(request, error);
        this.#replace();
        return;
      }
      const connection = this.#attend(socket);
      const first = user.isWaiting(request) ? request : this.#nextWaiting();
      if (first === undefined) {
        this.#keep(connection, this.#options.keeps ? KEEP_MS : 0);
      } else {
        this.#start(connection, first);
      }
    });
  }

  #attend(socket: Socket): Connection<R> {
    const connection = connectionOf<R>(socket);
    this.#all.add(connection);
    socket.on('data', (bytes: Buffer) => {
      if (connection.request === undefined) {
        socket.destroy();
      } else {
        this.#options.user.receive(connection.request, bytes);
      }
    });
    socket.on('error', (error) => (connection.error = error));
    socket.on('end', () => this.#end(connection));
    socket.on('close', () => {
      this.#end(connection);
      this.#all.delete(connection);
      this.#replace();
    });
    return connection;
  }

  #end(connection: Connection<R>): void {
    const { request, error } = connection;
    connection.request = undefined;
    const place = this.#idle.indexOf(connection);
    if (place !== -1) {
      this.#idle.splice(place, 1);
    }
    if (request !== undefined) {
      this.#options.user.end(request, error);
    }
    connection.socket.destroy();
  }

  /** Opens a connection in the place of one that has ended. */
  #replace(): void {
    const request = this.#isClosed ? undefined : this.#nextWaiting();
    if (request !== undefined) {
      this.#open(request);
    } else if (this.#all.size + this.#opening === 0) {
      clearInterval(this.#sweeping);
      this.#sweeping = undefined;
      this.#options.onUnused();
    }
  }

  /** An idle connection does not keep the process alive. */
  #keep(connection: Connection<R>, keepMs: number): void {
    if (keepMs <= 0 || this.#isClosed) {
      connection.socket.destroy();
      return;
    }
    connection.idleUntil = performance.now() + keepMs;
    connection.socket.unref();
    this.#idle.push(connection);
    this.#sweeping ??= setInterval(() => this.#sweep(), SWEEP_MS).unref();
  }

  #sweep(): void {
    const now = performance.now();
    for (const { idleUntil, socket } of this.#idle) {
      if (idleUntil <= now) {
        // Its `close` takes it off the list.
        socket.destroy();
      }
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
