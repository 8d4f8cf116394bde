import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { consoleCalls } from '../api/client.ts';
import { usePlace } from '../api/session.ts';
import { stored } from '../ui/stored.ts';

interface DraftText {
  readonly text: string;
  readonly isNote: boolean;
  readonly subject: string;
}

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
 * Returns the draft of a conversation. Each key press is kept in this browser, and pauses on the server;
 * a failure to save there is not shown, as nothing is lost.
 */
export function useDraft(conversationId: string, subject: string) {
  const storage = stored(`draft.${conversationId}`);
  const [local, setLocal] = useState<Partial<DraftText>>(() => parse(storage.read()));
  const { saved, replySubject, save } = useServerDraft(conversationId);
  const draft: DraftText = {
    text: '',
    isNote: false,
    subject: subject || replySubject,
    ...saved,
    ...local,
  };
  const change = (part: Partial<DraftText>) => {
    const next = { ...draft, ...part };
    setLocal(next);
    storage.write(next.text === '' ? undefined : JSON.stringify(next));
    save(next);
  };
  return {
    ...draft,
    setText: (text: string) => change({ text }),
    setNote: (isNote: boolean) => change({ isNote }),
    setSubject: (next: string) => change({ subject: next }),
  };
}

/** Returns the draft that the server has, and the function that saves one after a pause. */
function useServerDraft(conversationId: string) {
  const { subAccountId } = usePlace().membership;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const path = `/api/v1/conversations/${conversationId}/draft`;
  const { data } = useQuery({
    queryKey: [subAccountId, 'draft', conversationId],
    queryFn: ({ signal }) =>
      consoleCalls(subAccountId).data<ServerDraft>('GET', path, { options: { signal } }),
    gcTime: 0,
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  const saved: Partial<DraftText> = data?.bodyText
    ? {
        text: data.bodyText,
        isNote: data.isInternal,
        ...(data.subject !== null && { subject: data.subject }),
      }
    : {};
  const save = ({ text, isNote, subject }: DraftText) => {
    clearTimeout(timer.current);
    const body = {
      bodyText: text,
      isInternal: isNote,
      subject: text === '' ? null : subject || null,
    };
    timer.current = setTimeout(
      () =>
        void consoleCalls(subAccountId)
          .data('PUT', path, { body })
          .catch(() => undefined),
      text === '' ? 0 : PAUSE_MS,
    );
  };
  return { saved, replySubject: data?.replySubject ?? '', save };
}

function parse(text: string | undefined): Partial<DraftText> {
  try {
    return text === undefined ? {} : (JSON.parse(text) as Partial<DraftText>);
  } catch {
    return {};
  }
}
