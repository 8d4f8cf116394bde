import { useState } from 'react';
import { usePlace } from '../../api/session.ts';
import { manifestDraft } from './manifest-draft.ts';
import type { StoredManifest } from './manifest-queries.ts';

/** The text of the editor: what was typed in this tab before, else what is stored. */
export function useDraft(stored: StoredManifest) {
  const { session, membership } = usePlace();
  const draft = manifestDraft(session.user.id, membership.subAccountId);
  const [restored, setRestored] = useState(() => {
    const found = draft.read();
    return found?.source === stored.source ? undefined : found;
  });
  const [source, setSource] = useState(restored?.source ?? stored.source);
  const base = restored?.base ?? stored.manifest;
  return {
    source,
    initial: restored?.source ?? stored.source,
    /** The manifest that the text began with. */
    base,
    isRestored: restored !== undefined,
    /** Another one begins a new editor. */
    edition: restored === undefined ? 'stored' : 'restored',
    change(text: string) {
      setSource(text);
      draft.write(text === stored.source ? undefined : { source: text, base });
    },
    forget: () => draft.write(undefined),
    discard() {
      draft.write(undefined);
      setSource(stored.source);
      setRestored(undefined);
    },
  };
}
