import type { Draft, Session } from './chat.ts';
import { isSameDay } from './describe-time.ts';
import { texts } from './texts.ts';

/** Messages of one sender within this time are grouped under one name and one time. */
const TOGETHER_MS = 300_000;

/** A message or a draft, as the list shows it. */
export interface Entry {
  /** A message that was a draft keeps the draft's key, so that its element stays. */
  readonly key: string | Draft;
  readonly isOwn: boolean;
  readonly sender: string;
  readonly text: string;
  readonly at: Date;
  readonly draft?: Draft;
}

export const entriesOf = (session: Session | undefined): Entry[] => [
  ...(session?.transcript.rows ?? []).map((row) => ({
    key: session?.origins.get(row.id) ?? row.id,
    isOwn: row.direction === 'inbound',
    sender: row.senderName ?? texts.agent,
    text: row.bodyText,
    at: new Date(row.createdAt),
  })),
  ...(session?.drafts ?? []).map((draft) => ({
    key: draft,
    isOwn: true,
    sender: texts.you,
    text: draft.text,
    at: draft.writtenAt,
    draft,
  })),
];

export const areTogether = (one: Entry | undefined, other: Entry | undefined): boolean =>
  one !== undefined &&
  other !== undefined &&
  one.isOwn === other.isOwn &&
  (one.isOwn || one.sender === other.sender) &&
  isSameDay(one.at, other.at) &&
  other.at.getTime() - one.at.getTime() < TOGETHER_MS;
