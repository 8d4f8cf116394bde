import { FORMATS } from '#core/schema/formats.ts';
import { Fault, notFound } from '#core/fault.ts';
import { prepareCall, runCall, type AgentSession } from '../calls/in-process.ts';
import type { Agents } from '../calls/call-tool.ts';

const MESSAGES = 'conversations.messages';
const PAGE_SIZE = 100;
/** The newest messages of a transcript, and its size; the rest is left out. */
const MESSAGES_MAX = 1_000;
const TEXT_MAX_BYTES = 1_000_000;

const START = 'frontdesk://conversations/';

export const CONVERSATION_TEMPLATE = `${START}{conversationId}`;

export const conversationUri = (conversationId: string): string => START + conversationId;

/** Returns the conversation that a URI names; undefined if it names none. */
export function conversationOf(uri: string): string | undefined {
  const id = uri.startsWith(START) ? uri.slice(START.length) : '';
  return FORMATS['uuid']?.test(id) ? id : undefined;
}

interface Message {
  readonly direction: 'inbound' | 'outbound';
  readonly isInternal: boolean;
  readonly channel: string;
  readonly bodyText: string | null;
  readonly createdAt: string;
}

interface Page {
  readonly data: readonly Message[];
  readonly meta: { readonly hasMore: boolean; readonly cursor: string | null };
}

/**
 * Returns a conversation as text, oldest message first. Each page of 100 messages counts as a read of
 * the key. Throws the refusals of the endpoint.
 */
export async function readTranscript(
  { deps, catalogue }: Agents,
  session: AgentSession,
  conversationId: string,
): Promise<string> {
  const endpoint = catalogue.actions.get(MESSAGES);
  if (!endpoint) {
    throw notFound('conversation');
  }
  const blocks: string[] = [];
  let cursor: string | undefined;
  let bytes = 0;
  let isCut = false;
  do {
    const given = { conversationId, limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) };
    const prepared = await prepareCall(deps, session, endpoint, given);
    const { data, meta } = JSON.parse((await runCall(deps, prepared)).text.toString()) as Page;
    const shown = data.map(blockOf);
    blocks.push(...shown);
    bytes += shown.reduce((sum, block) => sum + Buffer.byteLength(block), 0);
    cursor = meta.hasMore ? (meta.cursor ?? undefined) : undefined;
    isCut = cursor !== undefined && (blocks.length >= MESSAGES_MAX || bytes >= TEXT_MAX_BYTES);
  } while (cursor !== undefined && !isCut);
  const note = isCut ? ['[Older messages are left out.]'] : [];
  return [...note, ...blocks.toReversed()].join('\n\n');
}

function blockOf({ direction, isInternal, channel, bodyText, createdAt }: Message): string {
  const from = isInternal ? 'Note for the team' : direction === 'inbound' ? 'Customer' : 'Business';
  return `${from}, ${createdAt}, ${channel}:\n${quoted(bodyText ?? '')}`;
}

/** Marks every line of a message: its text cannot pass for another message. */
const quoted = (text: string): string =>
  text
    .split(LINE_BREAK)
    .map((line) => `> ${line}`)
    .join('\n');

const LINE_BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

/** Throws FORBIDDEN if agents with the key must not read on their own. */
export function requireReading(policy: { readonly read: string }): void {
  if (policy.read !== 'allow') {
    throw new Fault('FORBIDDEN', 'the policy of this key does not let agents read on their own', {
      reason: 'denied_by_policy',
      risk: 'read',
    });
  }
}
