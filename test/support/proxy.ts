import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy that a test can cut and restore. */
export interface Proxy {
  readonly url: string;
  /** Drops every connection and accepts no more. */
  cut(): Promise<void>;
  /** Cuts as a server does that is killed: connections are reset. */
  reset(): Promise<void>;
  /** Accepts connections again, optionally to the server of another `databaseUrl`. */
  restore(databaseUrl?: string): Promise<void>;
  /** Stops forwarding bytes, like a network that drops packets, until it is thawed. */
  freeze(): void;
  thaw(): void;
}

export async function openProxy(databaseUrl: string): Promise<Proxy> {
  let target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
    return socket;
  };
  let server: Server;
  let frozen = false;
  const open = async (at: number) => {
    server = createServer((near) => {
      const far = keep(connect(Number(target.port), target.hostname));
      keep(near).pipe(far).pipe(near);
      if (frozen) {
        near.pause();
      }
    }).listen(at, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as { port: number }).port;
  };
  const end = async (drop: (socket: Socket) => void) => {
    const closed = server.listening ? once(server, 'close') : undefined;
    server.close();
    sockets.forEach(drop);
    await closed;
  };
  const at = await open(0);
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(at);
  return {
    url: url.href,
    cut: () => end((socket) => socket.destroy()),
    reset: () => end((socket) => socket.resetAndDestroy()),
    async restore(nextUrl) {
      target = nextUrl === undefined ? target : new URL(nextUrl);
      await open(at);
    },
    freeze() {
      frozen = true;
      sockets.forEach((socket) => socket.pause());
    },
    thaw() {
      frozen = false;
      sockets.forEach((socket) => socket.resume());
    },
  };
}
