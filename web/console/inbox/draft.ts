import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { consoleCalls } from '../api/client.ts';
import { usePlace } from '../api/session.ts';
import { localDraft, type DraftText, type LocalDraft } from './local-drafts.ts';

/** A draft as the server keeps it, for the user's other browsers. */
interface ServerDraft {
  readonly bodyText: string;
  readonly subject: string | null;
  readonly isInternal: boolean;
  /** What a reply by mail is called unless it is changed. */
  readonly replySubject: string | null;
}

/** How long typing must pause before the draft is saved on the server. */
const PAUSE_MS = 800;

/**
 * Returns the draft of a conversation. Each key press is kept in this browser, and pauses on the server.
 * Until the server has the text, this browser's counts; after that the server's, which another browser
 * may have changed or sent. A failure to save is not shown, as nothing is lost.
 */
export function useDraft(conversationId: string, subject: string) {
  const [local, keep] = useLocalDraft(conversationId);
  const { data, dataUpdatedAt, save } = useServerDraft(conversationId, keep);
  const { isSaved, ...kept } = local;
  const own = { text: '', isNote: false, ...kept, ...(isSaved && data && textOf(data)) };
  const draft: DraftText = { subject: subject || (data?.replySubject ?? ''), ...own };
  // Text that was written offline, or whose page was closed before it was saved.
  const saveUnsaved = useEffectEvent(() => {
    if (!isSaved) {
      save(local);
    }
  });
  useEffect(() => saveUnsaved(), [dataUpdatedAt]);
  const change = (part: Partial<DraftText>) => {
    const next = { ...own, ...part, isSaved: false };
    keep(next);
    save(next);
  };
  return {
    ...draft,
    setText: (text: string) => change({ text }),
    setNote: (isNote: boolean) => change({ isNote }),
    setSubject: (next: string) => change({ subject: next }),
  };
}

/** A sent or deleted draft leaves subject and kind as they are. */
const textOf = ({ bodyText, isInternal, subject }: ServerDraft): Partial<DraftText> =>
  bodyText === ''
    ? { text: '' }
    : { text: bodyText, isNote: isInternal, ...(subject !== null && { subject }) };

type Keep = (draft: LocalDraft, instead?: LocalDraft) => void;

/**
 * Returns the draft in this browser, and the function that keeps one; with `instead`, only if that is
 * still the current one.
 */
function useLocalDraft(conversationId: string): [LocalDraft, Keep] {
  const storage = localDraft(usePlace().session.user.id, conversationId);
  const [local, setLocal] = useState(storage.read);
  const keep: Keep = (draft, instead) => {
    if (instead === undefined || storage.has(instead)) {
      storage.write(draft);
    }
    setLocal((current) => (instead === undefined || current === instead ? draft : current));
  };
  return [local, keep];
}

/** One draft is saved after the other: a sent one must not come back. */
let saving: Promise<unknown> = Promise.resolve();

/** Returns the draft that the server has, and the function that saves one after a pause. */
function useServerDraft(conversationId: string, keep: Keep) {
  const { subAccountId } = usePlace().membership;
  const queries = useQueryClient();
  const path = `/api/v1/conversations/${conversationId}/draft`;
  const queryKey = [subAccountId, 'draft', conversationId];
  const { data, dataUpdatedAt } = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      consoleCalls(subAccountId).data<ServerDraft>('GET', path, { options: { signal } }),
    // Another browser may have changed it.
    staleTime: 0,
    refetchOnWindowFocus: true,
    gcTime: 0,
  });
  const put = async (draft: LocalDraft) => {
    const body = bodyOf(draft);
    const saved = await consoleCalls(subAccountId).data<ServerDraft>('PUT', path, { body });
    await queries.cancelQueries({ queryKey });
    queries.setQueryData(queryKey, saved);
    keep({ ...draft, isSaved: true }, draft);
  };
  const save = useWithPause((draft: LocalDraft) => {
    saving = saving.then(() => put(draft)).catch(() => undefined);
  });
  return { data, dataUpdatedAt, save };
}

const bodyOf = ({ text = '', isNote = false, subject = '' }: LocalDraft) => ({
  bodyText: text,
  isInternal: isNote,
  subject: text === '' ? null : subject || null,
});

/** Returns the function that saves after a pause, at once when the page or the conversation is left. */
function useWithPause(run: (draft: LocalDraft) => void): (draft: LocalDraft) => void {
  const waiting = useRef<{ draft: LocalDraft; timer: ReturnType<typeof setTimeout> }>(undefined);
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  const flush = useRef(() => {
    const { draft, timer } = waiting.current ?? {};
    clearTimeout(timer);
    waiting.current = undefined;
    if (draft !== undefined) {
      latest.current(draft);
    }
  });
  useEffect(() => {
    const { current: saveNow } = flush;
    const onHidden = () => document.visibilityState === 'hidden' && saveNow();
    document.addEventListener('visibilitychange', onHidden);
    return () => {
      document.removeEventListener('visibilitychange', onHidden);
      saveNow();
    };
  }, []);
  return (draft) => {
    clearTimeout(waiting.current?.timer);
    const timer = setTimeout(flush.current, draft.text === '' ? 0 : PAUSE_MS);
    waiting.current = { draft, timer };
  };
}
