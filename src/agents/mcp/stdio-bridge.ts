import type { Readable, Writable } from 'node:stream';
import { createInterface } from 'node:readline';
import type { McpResponse } from './mcp-endpoint.ts';
import { clientName } from './mcp-server.ts';

/** Sends one message of the protocol with its headers, and returns the response. */
export type SendMessage = (
  text: string,
  headers: Readonly<Record<string, string>>,
) => Promise<McpResponse>;

type Message = Readonly<Record<string, unknown>>;

const VERSION_MEMBER = 'io.modelcontextprotocol/protocolVersion';

/**
 * Passes messages between standard input and output and `/mcp`, one per line, until the input ends. Calls
 * run at the same time; each response is written when it is there.
 */
export async function bridgeStdio(
  input: Readable,
  output: Writable,
  send: SendMessage,
): Promise<void> {
  const running = new Set<Promise<void>>();
  const negotiated: Negotiated = { version: undefined, client: undefined };
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    if (line.trim() === '') {
      continue;
    }
    const answer = async () => {
      const text = await pass(line, negotiated, send);
      if (text !== '') {
        output.write(`${text}\n`);
      }
    };
    const one = answer();
    running.add(one);
    void one.finally(() => running.delete(one));
    // What follows the first message may depend on the revision that it settles.
    if (isInitialize(line)) {
      await one;
    }
  }
  await Promise.all(running);
}

/** The revision, and the name, that a client of 2025 has negotiated; newer clients name theirs in each message. */
interface Negotiated {
  version: string | undefined;
  client: string | undefined;
}

const isInitialize = (line: string): boolean => parse(line)?.['method'] === 'initialize';

function parse(text: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Message) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the line that answers a message; empty for a notification. */
async function pass(line: string, negotiated: Negotiated, send: SendMessage): Promise<string> {
  const message = parse(line);
  const id = message?.['id'];
  try {
    const { text } = await send(line, headersOf(message ?? {}, negotiated));
    const answer = parse(text);
    if (message?.['method'] === 'initialize') {
      const { protocolVersion } = (answer?.['result'] ?? {}) as { protocolVersion?: string };
      negotiated.version = protocolVersion;
      const { clientInfo } = (message['params'] ?? {}) as Message;
      negotiated.client = clientName(clientInfo);
    }
    return answer && answer['jsonrpc'] === undefined ? refusalOf(id, answer) : text.trim();
  } catch (error) {
    return failure(id, error instanceof Error ? error.message : String(error));
  }
}

function headersOf(message: Message, { version, client }: Negotiated): Record<string, string> {
  const { method } = message;
  const params = (message['params'] ?? {}) as Message;
  const meta = (params['_meta'] ?? {}) as Message;
  const named = meta[VERSION_MEMBER];
  if (typeof named !== 'string') {
    return {
      ...(version !== undefined && method !== 'initialize' && { 'mcp-protocol-version': version }),
      ...(client !== undefined && { 'user-agent': client }),
    };
  }
  const name = params['name'] ?? params['uri'];
  return {
    'mcp-protocol-version': named,
    ...(typeof method === 'string' && { 'mcp-method': method }),
    ...(typeof name === 'string' && { 'mcp-name': name }),
  };
}

/** A refusal of Frontdesk, such as a wrong key, as the protocol carries errors. */
function refusalOf(id: unknown, answer: Message): string {
  const { code, message } = (answer['error'] ?? {}) as { code?: string; message?: string };
  return failure(id, `${code ?? 'ERROR'}: ${message ?? 'the server refused this message'}`);
}

const SERVER_ERROR = -32_000;

/** A notification has no id and gets no answer. */
const failure = (id: unknown, message: string): string =>
  id === undefined
    ? ''
    : JSON.stringify({ jsonrpc: '2.0', id, error: { code: SERVER_ERROR, message } });
