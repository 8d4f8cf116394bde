import type { McpSession } from './mcp-session.ts';

/** Clients differ in what they say about themselves, keys in their scopes. */
const ENTRIES_MAX = 100;
/** A request that says more about itself is not worth the memory. */
const KEY_MAX = 4_000;

/** The parts of a message that decide what a list of tools is. */
interface ListRequest {
  readonly message: object;
  readonly protocolHeaders: Readonly<Record<string, string>>;
  readonly version: string;
}

/**
 * Results of `tools/list` as JSON, by everything that they depend on. The library checks each of the
 * 20 tools against its schema again, which takes most of the time of the call.
 */
const results = new Map<string, string>();

interface McpAnswer {
  readonly status: number;
  readonly text: string;
}

/** Returns the answer of an equal earlier request with the id of this one, or makes it. */
export async function answerListOnce(
  { scopes, policy, sandbox }: McpSession,
  { message, protocolHeaders, version }: ListRequest,
  answer: () => Promise<McpAnswer>,
): Promise<McpAnswer> {
  const { id, ...rest } = message as { readonly id?: unknown; readonly method?: unknown };
  if (rest.method !== 'tools/list' || !(typeof id === 'string' || Number.isSafeInteger(id))) {
    return answer();
  }
  const key = JSON.stringify([[...scopes].sort(), policy, sandbox, version, protocolHeaders, rest]);
  const known = results.get(key);
  if (known !== undefined) {
    return { status: 200, text: `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${known}}` };
  }
  const made = await answer();
  const { result } = JSON.parse(made.text) as { readonly result?: object };
  if (made.status === 200 && result !== undefined && key.length <= KEY_MAX) {
    remember(key, JSON.stringify(result));
  }
  return made;
}

function remember(key: string, result: string): void {
  if (results.size >= ENTRIES_MAX) {
    results.delete(results.keys().next().value ?? '');
  }
  results.set(key, result);
}
