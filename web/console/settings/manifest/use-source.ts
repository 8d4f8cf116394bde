import { useState } from 'react';
import { useMessages } from '../../i18n/messages.tsx';
import { useAttempts } from '../../shell/recent-sign-in.tsx';
import { showToast } from '../../ui/toast.tsx';
import { lossesOf } from './change-list.tsx';
import { changeMeanwhileOf, type ChangeMeanwhile } from './changed-meanwhile.ts';
import {
  issuesOf,
  useApply,
  usePreview,
  type Outcome,
  type SourceInput,
  type SourceIssue,
} from './manifest-queries.ts';

export interface Losses {
  /** What is removed: `calendars checkups`, `calendars checkups/types/checkup`. */
  readonly lost: readonly string[];
  readonly onConfirm: () => void;
}

/** Returns what checks, previews and saves a text, and its last result. */
export function useSource(onApplied: () => void) {
  const { manifest } = useMessages();
  const [outcome, setOutcome] = useState<Outcome>();
  const { issues, setIssues, conflict, setConflict, withIssues } = useIssues();
  const preview = usePreview();
  const apply = useApply(onApplied);
  const [losses, setLosses] = useState<Losses>();
  const checking = usePreview();
  const { attempt, dialog } = useAttempts();
  const save = async (input: SourceInput) => {
    if (await withIssues(() => apply.mutateAsync(input))) {
      setConflict(undefined);
      setOutcome(undefined);
      showToast({ text: manifest.saved });
    }
  };
  return {
    issues,
    outcome,
    conflict,
    losses,
    keep: () => setLosses(undefined),
    isPreviewing: preview.isPending,
    isSaving: apply.isPending,
    dialog,
    /** A server that cannot be reached finds no issues. */
    async check(source: string): Promise<readonly SourceIssue[]> {
      const found = await checking.mutateAsync({ source, prune: false }).then(() => [], issuesOf);
      setIssues(found);
      return found;
    },
    show: (input: SourceInput) =>
      attempt(async () => setOutcome(await withIssues(() => preview.mutateAsync(input)))),
    /** Saves a text, after a question if something is removed by it. */
    askOrSave: ({ base, ...input }: SourceInput) =>
      attempt(async () => {
        const planned = await withIssues(() => preview.mutateAsync(input));
        const whole = { ...input, ...(base && { base }) };
        if (planned === undefined) {
          return;
        }
        const lost = lossesOf(planned);
        if (lost.length === 0) {
          await save(whole);
        } else {
          setLosses({ lost, onConfirm: () => attempt(() => save(whole)) });
        }
      }),
  };
}

/** What the server says about the last text. */
function useIssues() {
  const [issues, setIssues] = useState<readonly SourceIssue[]>([]);
  const [conflict, setConflict] = useState<ChangeMeanwhile>();
  /** Shows the issues of a refusal at their lines; other errors are for the caller. */
  const withIssues = async (run: () => Promise<Outcome>): Promise<Outcome | undefined> => {
    try {
      const result = await run();
      setIssues([]);
      return result;
    } catch (error) {
      const found = issuesOf(error);
      const meanwhile = changeMeanwhileOf(error);
      if (meanwhile) {
        setConflict(meanwhile);
        return undefined;
      }
      if (found.length === 0) {
        throw error;
      }
      setIssues(found);
      return undefined;
    }
  };
  return { issues, setIssues, conflict, setConflict, withIssues };
}
