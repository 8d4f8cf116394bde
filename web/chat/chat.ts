import type { Api, Visitor, Refusal, Row } from './api.ts';
import { follow } from './feed.ts';
import type { StoredSession } from './stored-session.ts';
import { openTranscript, type Transcript } from './transcript.ts';

/** A message of the visitor that the server has not confirmed yet. */
export interface Draft {
  readonly text: string;
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
        if (session.isConnected !== isConnected) {
          session.isConnected = isConnected;
          chat.changed();
        }
      },
    },
    session.ending.signal,
  );
}

/** Adds messages of the feed; returns true if any was new. */
export function takeRows(chat: Chat, session: Session, rows: readonly Row[]): boolean {
  const wasLoaded = session.isLoaded;
  const fresh = session.transcript.take(rows, 'feed');
  session.isLoaded = true;
  for (const row of fresh) {
    if (row.direction === 'inbound') {
      settleDraft(session, row);
    } else if (wasLoaded) {
      chat.arrived(row);
    }
  }
  if (fresh.length > 0 || !wasLoaded) {
    chat.changed();
  }
  return fresh.length > 0;
}

/** The stream may have a message before the response to its request, or instead of a lost response. */
function settleDraft(session: Session, row: Row): void {
  const draft = session.drafts.find(({ text }) => text.trim() === row.bodyText.trim());
  if (draft !== undefined) {
    session.origins.set(row.id, draft);
    session.drafts = session.drafts.filter((one) => one !== draft);
  }
}

/** Drops a session that the server does not know any more; unsent text stays. */
export function endSession(chat: Chat, session: Session): void {
  if (chat.session !== session) {
    return;
  }
  session.ending.abort();
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
  }
}

const fromAgents = (chat: Chat): readonly Row[] =>
  chat.session?.transcript.rows.filter(({ direction }) => direction === 'outbound') ?? [];
