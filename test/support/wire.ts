import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A raw HTTP connection, for requests that no client library would send. */
export interface Wire {
  send(text: string | Uint8Array): void;
  /** Returns the next complete response; rejects if the connection ends first. */
  answer(): Promise<WireAnswer>;
  /** Resolves when the server has closed the connection. */
  readonly closed: Promise<unknown>;
  hangUp(): void;
}

interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

const PATIENCE_MS = 60_000;

export async function openWire(url: string): Promise<Wire> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text;
  });
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  // Rejects on a reset, which few tests wait for.
  closed.catch(() => undefined);
  await once(socket, 'connect');
  return {
    closed,
    send: (text) => void socket.write(text),
    hangUp: () => socket.destroy(),
    async answer() {
      for (;;) {
        const whole = parse(received);
        if (whole) {
          received = whole.rest;
          return whole.answer;
        }
        await more(socket);
      }
    },
  };
}

async function more(socket: Socket): Promise<void> {
  const settled = new AbortController();
  const signal = AbortSignal.any([settled.signal, AbortSignal.timeout(PATIENCE_MS)]);
  const ended = once(socket, 'close', { signal }).then(() => {
    throw new Error('the connection ended before an answer');
  });
  ended.catch(() => undefined);
  try {
    await Promise.race([once(socket, 'data', { signal }), ended]);
  } finally {
    settled.abort();
  }
}

function parse(text: string): { answer: WireAnswer; rest: string } | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) {
    return undefined;
  }
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  const length = Number(headers['content-length'] ?? 0);
  const rest = text.slice(end + 4);
  if (rest.length < length) {
    return undefined;
  }
  const answer = { status: Number(first.split(' ')[1]), headers, text: rest.slice(0, length) };
  return { answer, rest: rest.slice(length) };
}

/** Returns the head of a request, including the blank line. */
export const head = (line: string, headers: Readonly<Record<string, string | number>>): string =>
  `${[`${line} HTTP/1.1`, 'Host: test', ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join('\r\n')}\r\n\r\n`;
