import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

/** The value of NODE_EXTRA_CA_CERTS for processes that trust HTTPS sinks; valid until 2125. */
export const SINK_AUTHORITY = join(import.meta.dirname, 'tls/authority.pem');

const PATIENCE_MS = 60_000;

interface SinkRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A receiver on 127.0.0.1 that stores its requests. */
export interface Sink {
  /** Its origin. The certificate is also valid for localhost and hooks.example.com. */
  readonly url: string;
  readonly port: number;
  readonly requests: readonly SinkRequest[];
  /** The number of connections since its start. */
  readonly connections: number;
  /** Called with each complete, stored request; the default answers 200. */
  answer: RequestListener;
  /** Waits for this number of requests; rejects if they do not arrive. */
  next(count: number): Promise<readonly SinkRequest[]>;
  /** Drops every connection. */
  close(): Promise<void>;
}

export async function startSink({ https = false } = {}): Promise<Sink> {
  const requests: SinkRequest[] = [];
  const waiting = new Set<() => void>();
  let connections = 0;
  const listener: RequestListener = (request, response) => {
    const { method = '', url: path = '', headers } = request;
    void buffer(request).then(
      (body) => {
        requests.push({ method, path, headers, body });
        waiting.forEach((look) => look());
        return sink.answer(request, response);
      },
      () => undefined,
    );
  };
  const server = https ? createTlsServer(identity(), listener) : createServer(listener);
  server.on('connection', () => void (connections += 1));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const sink: Sink = {
    url: `${https ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    requests,
    get connections() {
      return connections;
    },
    answer: (_request, response) => void response.end('ok'),
    next: (count) => arrival(requests, waiting, count),
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return sink;
}

/** Makes this process trust HTTPS sinks, because NODE_EXTRA_CA_CERTS is only read at its start. */
export const trustSinks = (): void =>
  setDefaultCACertificates([...getCACertificates('default'), readFileSync(SINK_AUTHORITY, 'utf8')]);

const identity = () => ({
  key: readFileSync(join(import.meta.dirname, 'tls/server.key')),
  cert: readFileSync(join(import.meta.dirname, 'tls/server.pem')),
});

function arrival(
  requests: readonly SinkRequest[],
  waiting: Set<() => void>,
  count: number,
): Promise<readonly SinkRequest[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly SinkRequest[]>();
  const look = () => void (requests.length >= count && resolve(requests));
  const timer = setTimeout(
    () => reject(new Error(`${requests.length} of ${count} requests arrived`)),
    PATIENCE_MS,
  );
  waiting.add(look);
  look();
  return promise.finally(() => {
    clearTimeout(timer);
    waiting.delete(look);
  });
}
