import { useEffect, useRef, useState, type ReactNode } from 'react';
import { DiscardDialog } from '../ui/form-dialog.tsx';
import { guardLeaving } from './leave-guard.ts';

interface Unsaved {
  /** The question; it belongs on the page. */
  readonly dialog: ReactNode;
  /** Lets the page be left without a question, as after the form was saved. */
  readonly release: () => void;
}

/**
 * Asks "Discard your changes?" before a page with unsaved input is left: by a link, the menu, the
 * browser's Back, or by closing the tab, for which the browser has its own question.
 */
export function useUnsaved(isChanged: boolean): Unsaved {
  const [leave, setLeave] = useState<() => void>();
  const release = useRef<() => void>(undefined);
  useEffect(() => {
    if (!isChanged) {
      return undefined;
    }
    const remove = guardLeaving((next) => setLeave(() => next));
    release.current = remove;
    return remove;
  }, [isChanged]);
  const discard = () => {
    release.current?.();
    setLeave(undefined);
    leave?.();
  };
  return {
    release: () => release.current?.(),
    dialog: leave && <DiscardDialog onKeep={() => setLeave(undefined)} onDiscard={discard} />,
  };
}
