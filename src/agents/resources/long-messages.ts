import type { ToolResult } from '../calls/call-tool.ts';
import { conversationUri } from './transcript.ts';

/** Longer texts of messages are cut in results: a quoted mail thread would fill a model's context. */
const TEXT_MAX = 4_000;
const TOOL = 'read_conversation';

/** A link to content that a result leaves out. */
interface ResourceLink {
  readonly type: 'resource_link';
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
}

interface Shortened {
  readonly result: ToolResult;
  readonly links: readonly ResourceLink[];
}

type Message = Readonly<Record<string, unknown>>;

/** Cuts long messages of a conversation, and links to all of it if the result lacks something. */
export function shortenMessages(tool: string, result: ToolResult): Shortened {
  const { data, meta } = result as {
    readonly data?: unknown;
    readonly meta?: { readonly hasMore?: boolean };
  };
  if (tool !== TOOL || !Array.isArray(data)) {
    return { result, links: [] };
  }
  const messages = data as readonly Message[];
  const short = messages.map(shortened);
  const isCut = short.some((message, index) => message !== messages[index]);
  const conversationId = messages[0]?.['conversationId'];
  const isWhole = !isCut && meta?.hasMore !== true;
  return {
    result: isCut ? { ...result, data: short } : result,
    links: isWhole || typeof conversationId !== 'string' ? [] : [linkTo(conversationId)],
  };
}

/** Returns the message itself unless something is cut. */
function shortened(message: Message): Message {
  const long = Object.entries(message).filter(
    ([, value]) => typeof value === 'string' && value.length > TEXT_MAX,
  );
  const cut = long.map(([name, value]) => [name, cutText(String(value))]);
  return long.length === 0 ? message : { ...message, ...Object.fromEntries(cut) };
}

/** Never cuts a character in half. */
const cutText = (text: string): string =>
  `${text.slice(0, TEXT_MAX).toWellFormed()} … [${text.length - TEXT_MAX} more characters in the linked resource]`;

const linkTo = (conversationId: string): ResourceLink => ({
  type: 'resource_link',
  uri: conversationUri(conversationId),
  name: 'Whole conversation',
  description: 'All messages with their full texts, oldest first',
  mimeType: 'text/plain',
});
