import { randomBytes } from 'node:crypto';
import type { RequestListener, Server as HttpServer } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { listen as listhen } from 'listhen';
import { toNodeHandler } from 'srvx/node';
import { MINUTE_MS } from '#lib/duration.ts';
import { inActivity } from './activity.ts';
import { Fault, UsageFault } from '#core/fault.ts';
import { refuseConnect, refuseExpectation, refuseUnreadable } from '../http/errors.ts';
import type { CertificateFiles } from './certificate.ts';
import { limitPipelining } from './pipelining.ts';

/** Also the time for a TLS handshake. */
const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = MINUTE_MS;
const KEEP_ALIVE_MS = 65_000;

export interface Listener {
  readonly url: string;
  readonly port: number;
  /** Uses another certificate (PEM) for new connections; does nothing without TLS. */
  setCertificate(certificate: CertificateFiles): void;
  /** Stops accepting, lets requests finish for `graceMs` or until `hurry`, then closes the rest. */
  close(graceMs: number, hurry?: AbortSignal): Promise<void>;
}

export interface Address {
  readonly host: string;
  readonly port: number;
}

/**
 * Serves an application over HTTP, or over HTTPS with a certificate (PEM). Throws if the port is
 * taken; never takes another one.
 */
export async function listen(
  fetch: (request: Request) => Response | Promise<Response>,
  { host, port }: Address,
  certificate?: CertificateFiles,
): Promise<Listener> {
  const handle = toNodeHandler(fetch) as RequestListener;
  const handleRequest = limitPipelining((request, response) =>
    inActivity({ kind: 'request', id: crypto.randomUUID() }, () => handle(request, response)),
  );
  const listener = await listhen(handleRequest, {
    hostname: host,
    // 0 stands for any free port; listhen would take 3000 and up.
    port: port === 0 ? { port, random: true } : port,
    public: ['0.0.0.0', '::'].includes(host),
    https: certificate ? { cert: certificate.cert, key: certificate.key } : false,
    isProd: true,
    isTest: true,
    showURL: false,
    autoClose: false,
    open: false,
    clipboard: false,
  });
  const { server } = listener;
  const handshakes = 'setSecureContext' in server ? watchHandshakes(server) : undefined;
  setUp(server);
  const bound = (server.address() as AddressInfo).port;
  if (port !== 0 && bound !== port) {
    await listener.close();
    throw new Error(`port ${port} is blocked by browsers; choose another one`);
  }
  return {
    url: `${certificate ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    port: bound,
    setCertificate({ cert, key }) {
      if ('setSecureContext' in server) {
        server.setSecureContext({ cert, key });
      }
    },
    async close(graceMs, hurry) {
      const drop = () => server.closeAllConnections();
      const deadline = setTimeout(drop, graceMs);
      hurry?.addEventListener('abort', drop);
      const closed = listener.close();
      handshakes?.end();
      if (hurry?.aborted) {
        drop();
      }
      await closed;
      clearTimeout(deadline);
    },
  };
}

function setUp(server: HttpServer | HttpsServer): void {
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  // The application rejects a missing Host with its own error envelope.
  Object.assign(server, { requireHostHeader: false });
  server.on('clientError', refuseUnreadable);
  server.on('checkExpectation', refuseExpectation);
  server.on('connect', refuseConnect);
}

/**
 * Ends connections that do not finish their TLS handshake in time. Node would wait for two minutes,
 * and closing the server would wait for them, too.
 */
function watchHandshakes(server: HttpsServer): { end(): void } {
  // `close` of listhen ends idle connections. Of each TLS connection it tracks the socket below, too,
  // finds that one idle, and would end running requests with it.
  for (const track of server.listeners('secureConnection')) {
    server.off('connection', track as (socket: Socket) => void);
  }
  const open = new Map<string, Socket>();
  const nameOf = ({ remoteAddress = '', remotePort = 0 }: Socket) =>
    `${remoteAddress} ${remotePort}`;
  server.on('connection', (socket: Socket) => {
    const name = nameOf(socket);
    const timer = setTimeout(() => open.get(name)?.destroy(), HEADERS_TIMEOUT_MS);
    open.set(name, socket);
    socket.once('close', () => {
      clearTimeout(timer);
      if (open.get(name) === socket) {
        open.delete(name);
      }
    });
  });
  server.on('secureConnection', (socket) => open.delete(nameOf(socket)));
  return { end: () => open.forEach((socket) => socket.destroy()) };
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there; choose another port with --port or FRONTDESK_PORT',
  EACCES: 'this user may not use that port; choose a port from 1024 with --port or FRONTDESK_PORT',
  EADDRNOTAVAIL: 'this machine does not have that address; correct FRONTDESK_HOST or --host',
  ENOTFOUND: 'the host name is unknown; correct FRONTDESK_HOST or --host',
};

/**
 * Tries to listen at an address. Returns the error that explains a failure, or undefined. An address that
 * this machine does not have is a wrong value of a variable or option.
 */
export function cannotListen({ host, port }: Address): Promise<Fault | UsageFault | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', ({ code = '', message }: NodeJS.ErrnoException) => {
      const text = `cannot listen on ${host}, port ${port}: ${REASONS[code] ?? message}`;
      resolve(
        code === 'EADDRNOTAVAIL' ? new UsageFault(text) : new Fault('SERVICE_UNAVAILABLE', text),
      );
    });
    probe.listen(port, host, () => probe.close(() => resolve(undefined)));
  });
}

/** Browsers and macOS reject certificates that are valid for longer than 398 days. */
const LOCAL_DAYS = 365;
const NAME_BYTES = 8;

/**
 * Members that listhen passes on to its generator, beyond its types; empty ones are left out. The name
 * is unique: clients that trust two certificates of one name accept the first only.
 */
const newSubject = () => ({
  commonName: `Frontdesk ${randomBytes(NAME_BYTES).toString('hex')}`,
  organization: 'Frontdesk',
  organizationalUnit: '',
  locality: '',
  state: '',
  countryCode: '',
});

/**
 * Returns a new certificate for these host names and addresses (RSA, 2048 bits), which no browser
 * trusts by itself. listhen generates one only while it opens a listener: here on a free local port.
 */
export async function newLocalCertificate(hosts: readonly string[]): Promise<CertificateFiles> {
  const listener = await listhen((_, response) => void response.end(), {
    hostname: '127.0.0.1',
    port: { port: 0, random: true },
    isProd: true,
    isTest: true,
    autoClose: false,
    https: { domains: [...hosts], validityDays: LOCAL_DAYS, ...newSubject() },
  });
  await listener.close();
  if (!listener.https) {
    throw new Error('listhen generated no certificate');
  }
  const { cert, key } = listener.https;
  return { cert, key };
}
