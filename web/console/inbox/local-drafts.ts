import { stored, storedNames } from '../ui/stored.ts';

export interface DraftText {
  readonly text: string;
  readonly isNote: boolean;
  readonly subject: string;
}

/** A draft in this browser. */
export interface LocalDraft extends Partial<DraftText> {
  /** Whether the server has it: then the server's own is the same or newer. */
  readonly isSaved: boolean;
}

const PREFIX = 'draft.';
const NONE: LocalDraft = { isSaved: true };

/** Where this browser keeps the draft of a conversation; other users of the browser have their own. */
export function localDraft(userId: string, conversationId: string) {
  const storage = stored(`${PREFIX}${userId}.${conversationId}`);
  return {
    read: (): LocalDraft => parse(storage.read()),
    write(draft: LocalDraft): void {
      const isGone = draft.isSaved && draft.text === '';
      storage.write(isGone ? undefined : JSON.stringify(draft));
    },
    has: (draft: LocalDraft): boolean => storage.read() === JSON.stringify(draft),
  };
}

/** Removes the drafts that the server has from this browser: it may have another user next. */
export function forgetSavedDrafts(): void {
  for (const name of storedNames().filter((one) => one.startsWith(PREFIX))) {
    const storage = stored(name);
    // Versions before this did not say whether a draft was saved.
    if (parse(storage.read()).isSaved ?? true) {
      storage.write(undefined);
    }
  }
}

function parse(text: string | undefined): LocalDraft {
  try {
    return text === undefined ? NONE : (JSON.parse(text) as LocalDraft);
  } catch {
    return NONE;
  }
}
