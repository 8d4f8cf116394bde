import type { Api, FileRow, Visitor, Refusal, Row } from './api.ts';
import { follow } from './feed.ts';
import type { StoredSession } from './stored-session.ts';
import { openTranscript, type Transcript } from './transcript.ts';

/** A message of the visitor that the server has not confirmed yet. */
export interface Draft {
  readonly text: string;
  readonly files: readonly FileRow[];
  readonly writtenAt: Date;
  /** The idempotency key: the server accepts the message once. */
  readonly key: string;
  /** Why it was not sent; undefined while it is being sent. */
  refusal: Refusal | undefined;
  /** When it failed, in milliseconds since 1970. */
  refusedAt: number;
}

export interface Session {
  readonly id: string;
  readonly transcript: Transcript;
  readonly ending: AbortController;
  drafts: readonly Draft[];
  /** The draft that a message was, by message id: it keeps the draft's element. */
  readonly origins: Map<string, Draft>;
  /** True once the history has been loaded. */
  isLoaded: boolean;
  isConnected: boolean;
  /** The timer that ends the team's typing; undefined while it does not type. */
  typing: number | undefined;
  /** Messages are sent one after another, so that they arrive in order. */
  sending: Promise<void>;
}

/** A visitor's chat: what the panel shows. */
export interface Chat {
  readonly api: Api;
  readonly storage: StoredSession;
  /** Called after every change. */
  readonly changed: () => void;
  /** Called for agent messages that arrive while the page is open. */
  readonly arrived: (row: Row) => void;
  /** Called for messages that could not be sent. */
  readonly refused: (refusal: Refusal) => void;
  session: Session | undefined;
  /** A text that could not be sent because its session had ended. */
  leftover: string;
  hasEnded: boolean;
}

type ChatOptions = Omit<Chat, 'session' | 'leftover' | 'hasEnded'>;

/** Continues the stored session, or a session that another tab starts later. */
export function openChat(given: ChatOptions): Chat {
  const chat: Chat = { ...given, session: undefined, leftover: '', hasEnded: false };
  const joinStored = () => {
    const { sessionId } = chat.storage.read();
    if (sessionId !== undefined && sessionId !== chat.session?.id) {
      join(chat, sessionId);
    }
    chat.changed();
  };
  chat.storage.onChange(joinStored);
  joinStored();
  return chat;
}

/** Starts a session; returns the refusal if there is one. */
export async function beginSession(chat: Chat, visitor: Visitor): Promise<Refusal | undefined> {
  const { data, refusal } = await chat.api.startSession(visitor);
  if (data === undefined) {
    return refusal;
  }
  chat.storage.write({ sessionId: data.sessionId });
  join(chat, data.sessionId);
  chat.changed();
  return undefined;
}

function join(chat: Chat, id: string): void {
  chat.session?.ending.abort();
  const session: Session = {
    id,
    transcript: openTranscript(),
    ending: new AbortController(),
    drafts: [],
    origins: new Map(),
    isLoaded: false,
    isConnected: true,
    typing: undefined,
    sending: Promise.resolve(),
  };
  chat.session = session;
  chat.hasEnded = false;
  void follow(
    chat.api,
    id,
    {
      cursor: () => session.transcript.cursor(),
      take: (rows) => takeRows(chat, session, rows),
      gone: () => endSession(chat, session),
      connected(isConnected) {
        if (!isConnected) {
          showTyping(chat, session, 0);
        }
        if (session.isConnected !== isConnected) {
          session.isConnected = isConnected;
          chat.changed();
        }
      },
      typing: (forMs) => showTyping(chat, session, forMs),
    },
    session.ending.signal,
  );
}

/** Shows that the team types, until it stops or a message arrives. */
function showTyping(chat: Chat, session: Session, forMs: number): void {
  const wasTyping = session.typing !== undefined;
  clearTimeout(session.typing);
  session.typing =
    forMs > 0 ? window.setTimeout(() => showTyping(chat, session, 0), forMs) : undefined;
  if (wasTyping !== forMs > 0) {
    chat.changed();
  }
}

/** Adds messages of the feed; returns true if any was new. */
export function takeRows(chat: Chat, session: Session, rows: readonly Row[]): boolean {
  const wasLoaded = session.isLoaded;
  const fresh = session.transcript.take(rows, 'feed');
  session.isLoaded = true;
  for (const row of fresh) {
    if (row.direction === 'inbound') {
      settleDraft(session, row);
    } else {
      showTyping(chat, session, 0);
      if (wasLoaded) {
        chat.arrived(row);
      }
    }
  }
  if (fresh.length > 0 || !wasLoaded) {
    chat.changed();
  }
  return fresh.length > 0;
}

/** The stream may have a message before the response to its request, or instead of a lost response. */
function settleDraft(session: Session, row: Row): void {
  const key = contentKey(row.bodyText, row.attachments ?? []);
  const draft = session.drafts.find(({ text, files }) => contentKey(text, files) === key);
  if (draft !== undefined) {
    session.origins.set(row.id, draft);
    session.drafts = session.drafts.filter((one) => one !== draft);
  }
}

const contentKey = (text: string, files: readonly FileRow[]): string =>
  [text.trim(), ...files.map(({ id }) => id)].join('\n');

/** Drops a session that the server does not know any more; unsent text stays. */
export function endSession(chat: Chat, session: Session): void {
  if (chat.session !== session) {
    return;
  }
  session.ending.abort();
  clearTimeout(session.typing);
  chat.session = undefined;
  chat.hasEnded = true;
  chat.leftover = session.drafts.map(({ text }) => text).join('\n');
  if (chat.storage.read().sessionId === session.id) {
    chat.storage.write({});
  }
  chat.changed();
}

/** Returns how many agent messages the visitor has not seen in any tab. */
export function countUnread(chat: Chat): number {
  const { seenId } = chat.storage.read();
  const agents = fromAgents(chat);
  return agents.length - 1 - agents.findLastIndex(({ id }) => id === seenId);
}

/** Marks the conversation as seen. */
export function markSeen(chat: Chat): void {
  const newest = fromAgents(chat).at(-1);
  const memory = chat.storage.read();
  const isOurs = memory.sessionId === chat.session?.id;
  if (newest !== undefined && isOurs && newest.id !== memory.seenId) {
    chat.storage.write({ ...memory, seenId: newest.id });
    chat.api.note('seen', { sessionId: memory.sessionId, messageId: newest.id });
  }
}

const fromAgents = (chat: Chat): readonly Row[] =>
  chat.session?.transcript.rows.filter(({ direction }) => direction === 'outbound') ?? [];
