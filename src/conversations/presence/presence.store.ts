import type { Reply } from '#core/endpoint/reply.ts';
import { isoText } from '#core/schema/columns.ts';
import type { View, Work } from '#core/work.ts';

/** A participant who says nothing for this long is gone. */
const GONE_AFTER_SECONDS = 30;
/** Typing that is not repeated within this time has ended. */
export const TYPING_MS = 8_000;

/** The participant name of the visitor of a chat. */
export const VISITOR = 'visitor';

interface Participant {
  /** The id of a user, or VISITOR. */
  readonly participant: string;
  readonly name: string;
}

export type PresenceState = 'viewing' | 'typing' | 'left';

/** Notes what a participant does in a conversation. It is not audited: it is repeated every few seconds. */
export function notePresence(
  work: Work,
  conversationId: string,
  { participant, name }: Participant,
  state: PresenceState,
): void {
  const { subAccountId, now } = work;
  if (state === 'left') {
    work.write(LEAVE, [subAccountId, conversationId, participant]);
    return;
  }
  const typingUntil = state === 'typing' ? new Date(now.getTime() + TYPING_MS) : null;
  const values = [subAccountId, conversationId, participant, name, now, typingUntil];
  work.write(NOTE, values);
}

const LEAVE = `delete from presences
  where sub_account_id = $1 and conversation_id = $2 and participant = $3`;

const NOTE = `insert into presences
    (sub_account_id, conversation_id, participant, name, seen_at, typing_until)
  values ($1, $2, $3, $4, $5, $6)
  on conflict (sub_account_id, conversation_id, participant) do update
    set name = excluded.name, seen_at = excluded.seen_at, typing_until = excluded.typing_until`;

/** Returns the participants of a conversation, except for the caller. */
export async function findPresences(
  view: View,
  conversationId: string,
  except: string,
): Promise<Reply> {
  const values = [view.subAccountId, conversationId, except, view.now];
  return { data: await view.rows(PRESENT, values) };
}

const PRESENT = `select participant, name, coalesce(typing_until > $4, false) as "isTyping",
    ${isoText(`(seen_at + interval '${GONE_AFTER_SECONDS} seconds')`)} as "expiresAt"
  from presences
  where sub_account_id = $1 and conversation_id = $2 and participant <> $3
    and seen_at > $4::timestamptz - interval '${GONE_AFTER_SECONDS} seconds'
  order by name, participant`;

/** Returns until when the team types in a conversation, in epoch milliseconds, if it does. */
export async function findTeamTyping(
  view: View,
  conversationId: string,
  now: Date,
): Promise<number | undefined> {
  const values = [view.subAccountId, conversationId, now];
  const [row] = await view.rows<{ until: number | null }>(TYPING, values);
  return row?.until ?? undefined;
}

const TYPING = `select (extract(epoch from max(typing_until)) * 1000)::float8 as until from presences
  where sub_account_id = $1 and conversation_id = $2 and participant <> '${VISITOR}'
    and typing_until > $3`;
