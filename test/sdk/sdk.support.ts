import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { createClient, type ClientOptions } from '../../sdk/src/main.ts';
import type { TestService } from '../support/service.ts';

/** A client of the test's sub-account. */
export const clientOf = ({ url, keys }: TestService, key: keyof TestService['keys'] = 'full') =>
  createClient({ baseUrl: url, apiKey: keys[key] });

interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Behaviour = (response: ServerResponse, request: Seen) => void;

/** A response of Frontdesk. */
export const answering =
  (status: number, body: object, headers: Record<string, string> = {}): Behaviour =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };

export const refusing = (status: number, code: string, headers: Record<string, string> = {}) =>
  answering(status, { error: { code, message: `${code} was said` } }, headers);

/** Closes the connection without a response. */
export const hangingUp: Behaviour = (response) => void response.destroy();

/** Begins a response and closes the connection in the middle. */
export const breakingOff: Behaviour = (response) => {
  response.writeHead(200, { 'content-length': '1000' }).write('{"data":');
  setImmediate(() => response.destroy());
};

export const keepingSilent: Behaviour = () => undefined;

/** A local server with scripted behaviour, one entry per request. */
export async function startMisbehaving(...behaviours: readonly Behaviour[]) {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const { method = '', url: path = '', headers } = request;
    void (async () => {
      const one = { method, path, headers, body: await text(request) };
      const behaviour = behaviours[seen.push(one) - 1] ?? refusing(500, 'NOT_EXPECTED');
      behaviour(response, one);
    })();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, seen };
}

/** A client that records its waits instead of waiting. */
export function hastyClient(baseUrl: string, options: Partial<ClientOptions> = {}) {
  const waits: number[] = [];
  let now = Date.parse('2026-12-01T09:00:00Z');
  const client = createClient({
    baseUrl,
    apiKey: 'sk_test_key',
    random: () => 0.5,
    now: () => now,
    sleep: async (ms) => {
      waits.push(ms);
      now += ms;
    },
    ...options,
  });
  return { client, waits };
}
