import type { Conversation } from './conversation.entity.ts';

export type Thread = Pick<Conversation, 'id' | 'contactId' | 'channel' | 'status'>;

export interface Collisions {
  /** Threads that have to be closed first. */
  readonly closed: readonly string[];
  /** The two threads by sms, of which the first becomes part of the second. */
  readonly united: { readonly from: string; readonly into: string } | undefined;
}

/** What stands in the way when the threads of one contact become those of another who has his own. */
export function collisionsOf(threads: readonly Thread[], mergedContactId: string): Collisions {
  const moving = threads.filter(({ contactId }) => contactId === mergedContactId);
  const staying = threads.filter(({ contactId }) => contactId !== mergedContactId);
  const closed = moving.filter(
    (one) => isSole(one) && staying.some((other) => isRival(one, other)),
  );
  const [from, into] = [moving, staying].map((own) => own.find(({ channel }) => channel === 'sms'));
  return {
    closed: closed.map(({ id }) => id),
    united: from && into && { from: from.id, into: into.id },
  };
}

/** On the other channels a contact has one open thread; live chats are apart, sms is united. */
const isSole = ({ channel }: Thread): boolean => channel !== 'sms' && channel !== 'live_chat';

const isRival = (one: Thread, other: Thread): boolean =>
  one.channel === other.channel && one.status === 'open' && other.status === 'open';
