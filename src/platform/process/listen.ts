import type { RequestListener, Server } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { listen as listhen } from 'listhen';
import { toNodeHandler } from 'srvx/node';
import { MINUTE_MS } from '#lib/duration.ts';
import { inActivity } from './activity.ts';
import { Fault } from '#core/fault.ts';
import { refuseConnect, refuseExpectation, refuseUnreadable } from '../http/errors.ts';

const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = MINUTE_MS;
const KEEP_ALIVE_MS = 65_000;

export interface Listener {
  readonly url: string;
  readonly port: number;
  /** Stops accepting, lets requests finish for `graceMs` or until `hurry`, then closes the rest. */
  close(graceMs: number, hurry?: AbortSignal): Promise<void>;
}

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Serves an application over HTTP. Throws if the port is taken; never takes another one. */
export async function listen(
  fetch: (request: Request) => Response | Promise<Response>,
  { host, port }: Address,
): Promise<Listener> {
  const handle = toNodeHandler(fetch) as RequestListener;
  const handleRequest: RequestListener = (request, response) =>
    inActivity({ kind: 'request', id: crypto.randomUUID() }, () => handle(request, response));
  const listener = await listhen(handleRequest, {
    hostname: host,
    // 0 stands for any free port; listhen would take 3000 and up.
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
  // The application rejects a missing Host with its own error envelope.
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

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there; use --port N or FRONTDESK_PORT',
  EACCES: 'this user may not open that port; use --port N with N from 1024',
  EADDRNOTAVAIL: 'this machine does not have that address',
  ENOTFOUND: 'that host name is not known',
};

/** Tries to listen at an address. Returns the Fault that explains a failure, or undefined. */
export function cannotListen({ host, port }: Address): Promise<Fault | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', ({ code = '', message }: NodeJS.ErrnoException) => {
      const text = `cannot listen on ${host}, port ${port}: ${REASONS[code] ?? message}`;
      resolve(new Fault('SERVICE_UNAVAILABLE', text));
    });
    probe.listen(port, host, () => probe.close(() => resolve(undefined)));
  });
}
