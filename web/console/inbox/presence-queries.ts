import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { consoleCalls } from '../api/client.ts';
import { useCanWrite, usePlace } from '../api/session.ts';

interface Participant {
  /** The id of a user, or `visitor`. */
  readonly participant: string;
  readonly name: string;
  readonly isTyping: boolean;
}

const VIEWING_EVERY_MS = 20_000;
const TYPING_EVERY_MS = 5_000;

type State = 'viewing' | 'typing' | 'left';

/** Tells the server what the user does; a failure is not shown, as nothing depends on it. */
const note = (subAccountId: string, conversationId: string, state: State): Promise<unknown> =>
  consoleCalls(subAccountId)
    .data<Participant[]>('POST', `/api/v1/conversations/${conversationId}/presence`, {
      body: { state },
    })
    .catch(() => undefined);

/** Returns the other participants of a conversation, and tells them about the user. */
export function usePresence(conversationId: string): readonly Participant[] {
  const { subAccountId } = usePlace().membership;
  const canWrite = useCanWrite();
  const queries = useQueryClient();
  useEffect(() => {
    const view = () => {
      if (canWrite && document.visibilityState === 'visible') {
        void note(subAccountId, conversationId, 'viewing');
      }
    };
    view();
    const timer = setInterval(() => {
      view();
      void queries.invalidateQueries({ queryKey: [subAccountId, 'presence', conversationId] });
    }, VIEWING_EVERY_MS);
    return () => {
      clearInterval(timer);
      if (canWrite) {
        void note(subAccountId, conversationId, 'left');
      }
    };
  }, [subAccountId, conversationId, canWrite, queries]);
  const { data } = useQuery({
    queryKey: [subAccountId, 'presence', conversationId],
    queryFn: ({ signal }) =>
      consoleCalls(subAccountId).data<Participant[]>(
        'GET',
        `/api/v1/conversations/${conversationId}/presence`,
        { options: { signal } },
      ),
  });
  return data ?? [];
}

/** Returns the function to call for every key press; notes are nothing that the visitor waits for. */
export function useTyping(conversationId: string): (isNote: boolean) => void {
  const { subAccountId } = usePlace().membership;
  const last = useRef(0);
  return (isNote) => {
    const now = Date.now();
    if (!isNote && now - last.current > TYPING_EVERY_MS) {
      last.current = now;
      void note(subAccountId, conversationId, 'typing');
    }
  };
}
