import { makeBubble, type Bubble, type Foot } from './bubble.ts';
import type { FileRow } from './api.ts';
import type { Chat, Draft, Session } from './chat.ts';
import { describeRefusal } from './describe-refusal.ts';
import { describeDay, isSameDay } from './describe-time.ts';
import { make, set } from './element.ts';
import { messageFiles } from './message-files.ts';
import { makeScroller } from './scroller.ts';
import { sendAgain } from './send-message.ts';
import { language, texts } from './texts.ts';

const TICK_MS = 1000;

export interface MessageList {
  readonly root: HTMLElement;
  readonly render: () => void;
  readonly toEnd: () => void;
}

/** The messages below `head`; a message keeps its bubble as long as the session lasts. */
export function makeMessageList(chat: Chat, head: readonly Node[]): MessageList {
  const { root, log, show, toEnd } = makeScroller();
  const bubbles = new Map<Entry['key'], Bubble>();
  const days = new Map<string, HTMLElement>();
  let shown: Session | undefined;
  let timer = 0;

  const nodesOf = (entries: readonly Entry[]): Node[] =>
    entries.flatMap((entry, index) => {
      const [before, after] = [entries[index - 1], entries[index + 1]];
      const bubble = getOrCreate(bubbles, entry.key, () =>
        makeBubble({
          ...entry,
          picture: entry.picture && new URL(entry.picture, chat.api.base).href,
          files: messageFiles(entry.attachments, chat.api.base),
        }),
      );
      bubble.show({
        isFirst: !areTogether(before, entry),
        isLast: !areTogether(entry, after),
        foot: footOf(chat, entry.draft),
      });
      const isSame = before !== undefined && isSameDay(before.at, entry.at);
      return isSame ? [bubble.root] : [dayOf(entry.at), bubble.root];
    });
  const dayOf = (at: Date): HTMLElement => {
    const day = getOrCreate(days, at.toDateString(), () => make('p', { class: 'day' }));
    const text = describeDay(at, new Date(), language);
    if (day.textContent !== text) {
      day.textContent = text;
    }
    return day;
  };
  const render = () => {
    if (shown !== chat.session) {
      shown = chat.session;
      bubbles.clear();
      days.clear();
    }
    const entries = entriesOf(chat.session);
    // Screen readers announce only messages after the history.
    set(log, { 'aria-busy': String(chat.session?.isLoaded === false) });
    show([...head, ...nodesOf(entries)], entries.at(-1)?.isOwn ?? false);
    clearTimeout(timer);
    if (entries.some(({ draft }) => waitOf(draft) > 0)) {
      timer = window.setTimeout(render, TICK_MS);
    }
  };
  return { root, render, toEnd };
}

function getOrCreate<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  const value = map.get(key) ?? create();
  map.set(key, value);
  return value;
}

function footOf(chat: Chat, draft: Draft | undefined): Foot {
  if (draft === undefined) {
    return { kind: 'sent' };
  }
  const { refusal } = draft;
  if (refusal === undefined) {
    return { kind: 'sending' };
  }
  const waitS = waitOf(draft);
  const isOver = refusal.status === 429 && waitS <= 0;
  return {
    kind: 'failed',
    why: isOver ? '' : describeRefusal({ ...refusal, waitS }),
    retry: waitS > 0 ? undefined : () => sendAgain(chat, draft),
  };
}

/** Returns the seconds until a refused draft may be sent again. */
const waitOf = (draft: Draft | undefined): number =>
  draft?.refusal ? draft.refusal.waitS - (Date.now() - draft.refusedAt) / 1000 : 0;

/** Messages of one sender within this time are grouped under one name and one time. */
const TOGETHER_MS = 300_000;

/** A message or a draft, as the list shows it. */
interface Entry {
  /** A message that was a draft keeps the draft's key, so that its element stays. */
  readonly key: string | Draft;
  readonly isOwn: boolean;
  readonly sender: string;
  /** The path of the sender's picture. */
  readonly picture?: string | undefined;
  readonly text: string;
  readonly attachments: readonly FileRow[];
  readonly at: Date;
  readonly draft?: Draft;
}

const entriesOf = (session: Session | undefined): Entry[] => [
  ...(session?.transcript.rows ?? []).map((row) => ({
    key: session?.origins.get(row.id) ?? row.id,
    isOwn: row.direction === 'inbound',
    sender: row.senderName ?? texts.agent,
    picture: row.senderPictureUrl ?? undefined,
    text: row.bodyText,
    attachments: row.attachments ?? [],
    at: new Date(row.createdAt),
  })),
  ...(session?.drafts ?? []).map((draft) => ({
    key: draft,
    isOwn: true,
    sender: texts.you,
    text: draft.text,
    attachments: draft.files,
    at: draft.writtenAt,
    draft,
  })),
];

const areTogether = (one: Entry | undefined, other: Entry | undefined): boolean =>
  one !== undefined &&
  other !== undefined &&
  one.isOwn === other.isOwn &&
  (one.isOwn || one.sender === other.sender) &&
  isSameDay(one.at, other.at) &&
  other.at.getTime() - one.at.getTime() < TOGETHER_MS;
