import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { newId } from '#lib/id.ts';
import { CHAT_WIDGET } from '../../web/build.ts';
import type { Configuration, Row } from '../../web/chat/api.ts';

export const SUB_ACCOUNT = '0192f7c4-5b1e-7c3a-9d42-29468088e7f1';

const PAGE_SIZE = 100;

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'content-type, idempotency-key, last-event-id',
  'access-control-expose-headers': 'Retry-After',
};

interface Seen {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: any;
  readonly cookie: string | undefined;
  readonly key: string | string[] | undefined;
}

/** The status of the response, or 0 for a broken connection. */
interface Fault {
  readonly status: number;
  readonly headers?: Record<string, string>;
  /** The request is executed, and its response is lost. */
  readonly isDone?: boolean;
}

/** A fake of the live chat endpoints, with failures that a real server cannot produce on request. */
export interface ChatPeer {
  readonly url: string;
  configuration: Configuration;
  readonly seen: readonly Seen[];
  /** By session, oldest first. */
  readonly sessions: Map<string, Row[]>;
  /** The number of open streams. */
  readonly streams: number;
  /** Streams return 502. */
  hasNoStreams: boolean;
  /** Streams stay open and send nothing. */
  isMute: boolean;
  /** Writes a message of an agent into the newest session. */
  say(text: string, senderName?: string, createdAt?: Date): Row;
  /** The fault of every call, by path below `/api/chat/`. */
  readonly faults: Map<string, Fault>;
  /** Delays calls of this path until the returned function is called. */
  delay(path: string): () => void;
  /** Tells the newest session that the team types, for so long; 0 when it stops. */
  type(forMs: number): void;
  dropStreams(): void;
  close(): Promise<void>;
}

export async function startChatPeer(changes: Partial<Configuration> = {}): Promise<ChatPeer> {
  const streams = new Map<ServerResponse, string>();
  const held = new Map<string, Promise<void>>();
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const seen: Seen[] = [];
  const peer: ChatPeer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    configuration: { ...CONFIGURATION, ...changes },
    seen,
    sessions: new Map(),
    get streams() {
      return streams.size;
    },
    hasNoStreams: false,
    isMute: false,
    faults: new Map(),
    say(text, senderName = 'Anna Weber', createdAt = new Date()) {
      const session = [...peer.sessions.keys()].at(-1) ?? '';
      return write(session, { direction: 'outbound', bodyText: text, senderName, createdAt });
    },
    delay(path) {
      const { promise, resolve } = Promise.withResolvers<void>();
      held.set(path, promise);
      return resolve;
    },
    type(forMs) {
      const data = JSON.stringify({ isTyping: forMs > 0, forMs });
      [...streams.keys()].forEach((stream) => stream.write(`event: typing\ndata: ${data}\n\n`));
    },
    dropStreams: () => [...streams.keys()].forEach((stream) => stream.destroy()),
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };

  function write(session: string, row: Omit<Row, 'id' | 'createdAt'> & { createdAt: Date }): Row {
    const whole = { ...row, id: newId(row.createdAt), createdAt: row.createdAt.toISOString() };
    peer.sessions.get(session)?.push(whole);
    for (const [stream, of] of streams) {
      if (of === session && !peer.isMute) {
        stream.write(eventOf(whole));
      }
    }
    return whole;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://peer');
    const path = pathname.replace('/api/chat/', '');
    if (pathname === '/chat/widget.js') {
      response.setHeader('content-type', 'text/javascript; charset=utf-8');
      return void response.end(await readFile(CHAT_WIDGET));
    }
    if (request.method === 'OPTIONS') {
      return void response.writeHead(204, CORS).end();
    }
    const { method = '' } = request;
    const body = method === 'POST' ? await json(request) : undefined;
    const { cookie, 'idempotency-key': key } = request.headers;
    seen.push({ method, path, query, body, cookie, key });
    await held.get(path);
    const fault = peer.faults.get(path);
    const respond = (status: number, value: object, headers = {}) =>
      response
        .writeHead(status, { ...CORS, 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(value));
    if (fault?.isDone) {
      perform(path, query, body);
      // Without any byte on a reused connection, the browser would repeat the request by itself.
      response.writeHead(201, { ...CORS, 'content-length': '100' });
      return void response.write('{', () => response.destroy());
    }
    if (fault?.status === 0) {
      return void response.destroy();
    }
    if (fault) {
      return void respond(fault.status, refusal(fault.status), fault.headers);
    }
    if (path === 'stream') {
      return openStream(request, response, query);
    }
    const done = perform(path, query, body);
    if (path === 'messages' && done) {
      const rows = done as readonly Row[];
      const meta = { hasMore: rows.length > PAGE_SIZE };
      return void respond(200, { data: rows.slice(0, PAGE_SIZE), meta });
    }
    respond(done ? (method === 'POST' ? 201 : 200) : 404, done ? { data: done } : refusal(404));
  }

  function perform(path: string, query: URLSearchParams, body: any): unknown {
    if (path === 'config') {
      return query.get('subAccountId') === SUB_ACCOUNT ? peer.configuration : undefined;
    }
    if (path === 'session') {
      const sessionId = randomUUID();
      peer.sessions.set(sessionId, []);
      return { sessionId, createdAt: new Date().toISOString() };
    }
    const rows = peer.sessions.get(body?.sessionId ?? query.get('sessionId'));
    if (path === 'message' && rows) {
      const createdAt = new Date();
      const { sessionId, message: bodyText } = body;
      return write(sessionId, { direction: 'inbound', bodyText, senderName: 'Ada', createdAt });
    }
    if (path === 'typing' || path === 'seen') {
      return rows && { ok: true };
    }
    return rows && after(rows, query);
  }

  function openStream(request: IncomingMessage, response: ServerResponse, query: URLSearchParams) {
    const session = query.get('sessionId') ?? '';
    const rows = peer.sessions.get(session);
    if (!rows || peer.hasNoStreams) {
      return void response.writeHead(rows ? 502 : 404, CORS).end();
    }
    response.writeHead(200, { ...CORS, 'content-type': 'text/event-stream' });
    response.write(': here\n\n');
    streams.set(response, session);
    request.on('close', () => streams.delete(response));
    if (!peer.isMute) {
      after(rows, query).forEach((row) => response.write(eventOf(row)));
    }
  }
  return peer;
}

const CONFIGURATION: Configuration = {
  subAccountId: SUB_ACCOUNT,
  enabled: true,
  title: 'Harbour Dental',
  welcomeMessage: 'Hello! 👋 How can we help you today?',
  color: '#2456a6',
  position: 'right',
  online: true,
  businessHours: {
    mon: ['09:00-12:00', '13:00-17:00'],
    tue: ['09:00-17:00'],
    wed: ['09:00-17:00'],
    fri: ['09:00-13:00'],
  },
  timezone: 'Europe/Berlin',
  requireEmail: true,
  legalText: null,
};

const after = (rows: readonly Row[], query: URLSearchParams): readonly Row[] =>
  rows.filter(({ id }) => id > (query.get('after') ?? ''));

const eventOf = (row: Row): string =>
  `id: ${row.id}\nevent: message\ndata: ${JSON.stringify(row)}\n\n`;

const refusal = (status: number) => ({
  error: { code: status === 404 ? 'NOT_FOUND' : 'ERROR', message: 'Refused', details: {} },
});
