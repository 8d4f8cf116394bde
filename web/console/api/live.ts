import { useQueryClient, type Query, type QueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { SESSION_KEY } from './query-client.ts';
import { followStream, type Change } from './stream.ts';
import { usePlace } from './session.ts';

type Connection = 'open' | 'lost';

let connection: Connection = 'open';
const listeners = new Set<() => void>();

function setConnection(next: Connection): void {
  connection = next;
  listeners.forEach((listener) => listener());
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Returns whether the server can be reached. */
export const useConnection = (): Connection => useSyncExternalStore(subscribe, () => connection);

/** The lists and records that show something of a topic, as the second part of their query keys. */
const SHOWN_IN: Readonly<Record<string, readonly string[]>> = {
  conversation: ['conversations', 'conversation', 'unread'],
  presence: ['presence'],
  // The draft of a message that was sent in another browser is gone.
  message: ['messages', 'conversations', 'conversation', 'unread', 'timeline', 'draft'],
  appointment: ['appointments', 'schedule', 'slots', 'timeline'],
  task: ['tasks', 'timeline'],
  opportunity: ['opportunities', 'timeline'],
  campaign: ['campaigns', 'timeline'],
  run: ['runs', 'timeline'],
  delivery: ['deliveries'],
  approval: ['approvals'],
};

/** Fetches again what a change is shown in, where it is on the page; the rest when it is opened. */
function refresh(queries: QueryClient, subAccountId: string, { topic }: Change): void {
  for (const kind of SHOWN_IN[topic] ?? []) {
    void queries.invalidateQueries({ queryKey: [subAccountId, kind] }, { cancelRefetch: true });
  }
}

/**
 * What a gap makes uncertain. Each page begins with one: first loads that are under way are not sent
 * twice, except for those of messages, which must not be missing.
 */
const isUncertain = ({ state, queryKey }: Query): boolean =>
  state.data !== undefined || SHOWN_IN['message']?.includes(String(queryKey[1])) === true;

/** Keeps what the page shows up to date, for as long as it is open. `onMessage` gets conversations. */
export function useLiveChanges(onMessage: (conversationId: string) => void): void {
  const queries = useQueryClient();
  const { subAccountId } = usePlace().membership;
  const receive = useEffectEvent((change: Change) => {
    refresh(queries, subAccountId, change);
    if (change.topic === 'message' && change.conversationId !== undefined) {
      onMessage(change.conversationId);
    }
  });
  useEffect(
    () =>
      followStream(subAccountId, {
        onChange: (change) => receive(change),
        onGap: () =>
          void queries.invalidateQueries({ queryKey: [subAccountId], predicate: isUncertain }),
        onConnection: setConnection,
        // The session may have ended, or the membership.
        onRefused: () => void queries.invalidateQueries({ queryKey: SESSION_KEY, exact: true }),
      }),
    [queries, subAccountId],
  );
}
