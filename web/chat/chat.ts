import type { Api, Visitor } from './api.ts';
import type { Refusal } from './call.ts';
import { follow } from './feed.ts';
import type { StoredSession } from './kept.ts';
import type { Row } from './row.ts';
import { openTranscript, type Transcript } from './transcript.ts';

/** A message of the visitor that the server has not told us yet. */
export interface Draft {
  readonly text: string;
  readonly writtenAt: Date;
  /** The same whenever it is sent: the server takes it once. */
  readonly key: string;
  /** Why it did not go; none while it is on its way. */
  refusal: Refusal | undefined;
  /** When that was, in milliseconds since 1970. */
  refusedAt: number;
}

export interface Session {
  readonly id: string;
  readonly transcript: Transcript;
  readonly ending: AbortController;
  drafts: readonly Draft[];
  /** By message id: the draft that a message was, for what stands in the panel to stay there. */
  readonly origins: Map<string, Draft>;
  /** The history is here. */
  isLoaded: boolean;
  isConnected: boolean;
  /** One message goes after the other, so that they arrive as they were written. */
  sending: Promise<void>;
}

/** A visitor's chat: what the panel shows. */
export interface Chat {
  readonly api: Api;
  readonly kept: StoredSession;
  /** Called after each change of what is here. */
  readonly changed: () => void;
  /** Called with what an agent wrote while the page was open. */
  readonly arrived: (row: Row) => void;
  /** Called when a message could not be sent. */
  readonly refused: (refusal: Refusal) => void;
  session: Session | undefined;
  /** What could not be sent since its session was gone. */
  leftover: string;
  hasEnded: boolean;
}

type ChatOptions = Omit<Chat, 'session' | 'leftover' | 'hasEnded'>;

/** Takes up the session that this browser keeps, and one that another tab begins later. */
export function openChat(given: ChatOptions): Chat {
  const chat: Chat = { ...given, session: undefined, leftover: '', hasEnded: false };
  const look = () => {
    const { sessionId } = chat.kept.read();
    if (sessionId !== undefined && sessionId !== chat.session?.id) {
      join(chat, sessionId);
    }
    chat.changed();
  };
  chat.kept.onChange(look);
  look();
  return chat;
}

/** Begins a session; answers the refusal where there is one. */
export async function beginSession(chat: Chat, visitor: Visitor): Promise<Refusal | undefined> {
  const { data, refusal } = await chat.api.startSession(visitor);
  if (data === undefined) {
    return refusal;
  }
  chat.kept.write({ sessionId: data.sessionId });
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

/** Takes what the feed brought; true where it was new. */
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

/** The stream may tell of a message before its own answer does, or where that answer is lost. */
function settleDraft(session: Session, row: Row): void {
  const draft = session.drafts.find(({ text }) => text.trim() === row.bodyText.trim());
  if (draft !== undefined) {
    session.origins.set(row.id, draft);
    session.drafts = session.drafts.filter((one) => one !== draft);
  }
}

/** Forgets a session that the server does not know any more; what was unsent is kept. */
export function endSession(chat: Chat, session: Session): void {
  if (chat.session !== session) {
    return;
  }
  session.ending.abort();
  chat.session = undefined;
  chat.hasEnded = true;
  chat.leftover = session.drafts.map(({ text }) => text).join('\n');
  if (chat.kept.read().sessionId === session.id) {
    chat.kept.write({});
  }
  chat.changed();
}
