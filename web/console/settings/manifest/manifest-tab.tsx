import { lazy, Suspense, useState } from 'react';
import { useMessages } from '../../i18n/messages.tsx';
import { useAttempts } from '../../shell/recent-sign-in.tsx';
import { useFormat } from '../../i18n/format.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { Note } from '../../ui/note.tsx';
import { Checkbox } from '../../ui/switch.tsx';
import { showToast } from '../../ui/toast.tsx';
import { ChangeList } from './change-list.tsx';
import { changeMeanwhileOf, type ChangeMeanwhile } from './changed-meanwhile.ts';
import {
  issuesOf,
  useApply,
  useManifest,
  usePreview,
  type Outcome,
  type SourceInput,
  type StoredManifest,
  type SourceIssue,
} from './manifest-queries.ts';
import styles from './manifest.module.css';

const ManifestEditor = lazy(async () => ({
  default: (await import('./manifest-editor.tsx')).ManifestEditor,
}));

/** The settings of the sub-account as one text, which is checked while it is written. */
export function ManifestTab() {
  const { data, error, refetch } = useManifest();
  if (error) {
    return <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  // A new text from the server starts a new editor.
  return data === undefined ? (
    <SkeletonRows />
  ) : (
    <SourceForm key={data.source} stored={data} onReload={() => void refetch()} />
  );
}

interface SourceFormProps {
  readonly stored: StoredManifest;
  readonly onReload: () => void;
}

function SourceForm({ stored, onReload }: SourceFormProps) {
  const { manifest, settings } = useMessages();
  const [source, setSource] = useState(stored.source);
  const [prune, setPrune] = useState(false);
  const [isConfirming, setConfirming] = useState(false);
  const [target, setTarget] = useState<SourceIssue>();
  const { issues, outcome, conflict, isPreviewing, isSaving, check, show, save, dialog } =
    useSource();
  const input = { source, prune };
  return (
    <div className={styles.form}>
      <p className={styles.text}>{manifest.text}</p>
      <Suspense fallback={<SkeletonRows />}>
        <ManifestEditor
          label={settings.manifest}
          source={stored.source}
          onChange={setSource}
          check={check}
          target={target}
        />
      </Suspense>
      <div className={styles.actions}>
        <Button isPending={isPreviewing} onPress={() => show(input)}>
          {manifest.preview}
        </Button>
        <Button
          look="primary"
          isPending={isSaving}
          onPress={() => (prune ? setConfirming(true) : save({ ...input, base: stored.manifest }))}
        >
          {manifest.save}
        </Button>
        <Checkbox isSelected={prune} onChange={setPrune}>
          {manifest.prune}
        </Checkbox>
      </div>
      {conflict && (
        <ConflictNote conflict={conflict} onDiscard={onReload} onSave={() => save(input)} />
      )}
      <IssueList issues={issues} onChoose={setTarget} />
      {outcome && issues.length === 0 && <ChangeList outcome={outcome} />}
      {isConfirming && (
        <PruneDialog
          onClose={() => setConfirming(false)}
          onConfirm={() => save({ ...input, base: stored.manifest })}
        />
      )}
      {dialog}
    </div>
  );
}

/** Returns what checks, previews and saves a text, and its last result. */
function useSource() {
  const { manifest } = useMessages();
  const [outcome, setOutcome] = useState<Outcome>();
  const [issues, setIssues] = useState<readonly SourceIssue[]>([]);
  const [conflict, setConflict] = useState<ChangeMeanwhile>();
  const preview = usePreview();
  const apply = useApply();
  const checking = usePreview();
  const { attempt, dialog } = useAttempts();
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
  return {
    issues,
    outcome,
    conflict,
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
    save: (input: SourceInput) =>
      attempt(async () => {
        if (await withIssues(() => apply.mutateAsync(input))) {
          setConflict(undefined);
          showToast({ text: manifest.saved });
        }
      }),
  };
}

interface ConflictNoteProps {
  readonly conflict: ChangeMeanwhile;
  readonly onDiscard: () => void;
  readonly onSave: () => void;
}

/** Says that the stored manifest changed after it was read. */
function ConflictNote({ conflict: { by, entries }, onDiscard, onSave }: ConflictNoteProps) {
  const { forms } = useMessages();
  const format = useFormat();
  const names = entries.map(({ section, key }) => (section === key ? key : `${section}/${key}`));
  return (
    <Note title={by ? forms.changedBy(by.name, format.dayAndTime(by.at)) : forms.changedMeanwhile}>
      <p>{forms.conflictIn(names.join(', '))}</p>
      <div className={styles.actions}>
        <Button onPress={onSave}>{forms.saveAnyway}</Button>
        <Button onPress={onDiscard}>{forms.discard}</Button>
      </div>
    </Note>
  );
}

interface PruneDialogProps {
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

function PruneDialog(props: PruneDialogProps) {
  const { manifest } = useMessages();
  return (
    <ConfirmDialog
      title={manifest.pruneTitle}
      text={manifest.pruneText}
      confirm={manifest.save}
      isDangerous
      {...props}
    />
  );
}

interface IssueListProps {
  readonly issues: readonly SourceIssue[];
  readonly onChoose: (issue: SourceIssue) => void;
}

function IssueList({ issues, onChoose }: IssueListProps) {
  const { manifest } = useMessages();
  return issues.length === 0 ? null : (
    <section aria-label={manifest.issues} role="alert" className={styles.panel}>
      <ul className={styles.list}>
        {issues.map((issue) => (
          <li key={`${issue.line}:${issue.column}:${issue.path}`}>
            <Button look="ghost" isSmall onPress={() => onChoose({ ...issue })}>
              {manifest.line(issue.line)}
            </Button>
            <span>
              <code>{issue.path}</code> {issue.message}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
