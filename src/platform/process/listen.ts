import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listen as listhen } from 'listhen';
import { toNodeHandler } from 'srvx/node';
import { MINUTE_MS } from '#lib/duration.ts';
import { inActivity } from './activity.ts';
import { refuseConnect, refuseExpectation, refuseUnreadable } from '../http/errors.ts';

const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = MINUTE_MS;
const KEEP_ALIVE_MS = 65_000;

export interface Listener {
  readonly url: string;
  readonly port: number;
  /** Stops accepting, lets what runs finish for `graceMs` or until `hurry`, then closes what is left. */
  close(graceMs: number, hurry?: AbortSignal): Promise<void>;
}

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Serves an application over HTTP; a port that is taken is an error, never another port. */
export async function listen(
  fetch: (request: Request) => Response | Promise<Response>,
  { host, port }: Address,
): Promise<Listener> {
  const handle = toNodeHandler(fetch) as RequestListener;
  const handleRequest: RequestListener = (request, response) =>
    inActivity({ kind: 'request', id: crypto.randomUUID() }, () => handle(request, response));
  const listener = await listhen(handleRequest, {
    hostname: host,
    // 0 is any free port; listhen would take 3000 and up for it.
    port: port === 0 ? { port, random: true } : port,
    public: ['0.0.0.0', '::'].includes(host),
    isProd: true,
    isTest: true,
    showURL: false,
    autoClose: false,
    open: false,
    clipboard: false,
  });
  const server = listener.server as Server;
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  // The application refuses a missing Host in the envelope.
  Object.assign(server, { requireHostHeader: false });
  server.on('clientError', refuseUnreadable);
  server.on('checkExpectation', refuseExpectation);
  server.on('connect', refuseConnect);
  const bound = (server.address() as AddressInfo).port;
  if (port !== 0 && bound !== port) {
    await listener.close();
    throw new Error(`port ${port} is one that browsers refuse; choose another`);
  }
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    port: bound,
    async close(graceMs, hurry) {
      const drop = () => server.closeAllConnections();
      const deadline = setTimeout(drop, graceMs);
      hurry?.addEventListener('abort', drop);
      const closed = listener.close();
      if (hurry?.aborted) {
        drop();
      }
      await closed;
      clearTimeout(deadline);
    },
  };
}
