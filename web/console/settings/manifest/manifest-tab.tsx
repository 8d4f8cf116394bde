import { useState } from 'react';
import { useMessages } from '../../i18n/messages.tsx';
import { useFormat } from '../../i18n/format.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { NotLoaded } from '../../ui/not-loaded.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { Note } from '../../ui/note.tsx';
import { Checkbox } from '../../ui/switch.tsx';
import { ownerMessages } from '../owner-messages.ts';
import { ChangeList } from './change-list.tsx';
import { conflictMessages } from './conflict-messages.ts';
import type { ChangeMeanwhile } from './changed-meanwhile.ts';
import { useManifest, type SourceIssue, type StoredManifest } from './manifest-queries.ts';
import { useDraft } from './use-draft.ts';
import { useSource, type Losses } from './use-source.ts';
import styles from './manifest.module.css';
import { lazily } from '../../ui/lazily.tsx';

const ManifestEditor = lazily(
  async () => (await import('./manifest-editor.tsx')).ManifestEditor,
  <SkeletonRows />,
);

/** The settings of the sub-account as one text, which is checked while it is written. */
export function ManifestTab() {
  const { data, error, refetch } = useManifest();
  if (data === undefined) {
    return <NotLoaded error={error} onRetry={() => void refetch()} />;
  }
  // A new text from the server starts a new editor.
  return <SourceForm key={data.source} stored={data} onReload={() => void refetch()} />;
}

interface SourceFormProps {
  readonly stored: StoredManifest;
  readonly onReload: () => void;
}

function SourceForm({ stored, onReload }: SourceFormProps) {
  const { manifest, settings } = useMessages();
  const draft = useDraft(stored);
  const { source } = draft;
  const [prune, setPrune] = useState(false);
  const [target, setTarget] = useState<SourceIssue>();
  const state = useSource(draft.forget);
  const { issues, outcome, conflict, losses } = state;
  const input = { source, prune };
  const reload = () => {
    draft.forget();
    onReload();
  };
  return (
    <div className={styles.form}>
      <p className={styles.text}>{manifest.text}</p>
      {draft.isRestored && <RestoredNote onDiscard={draft.discard} />}
      <ManifestEditor
        key={draft.edition}
        label={settings.manifest}
        source={draft.initial}
        onChange={draft.change}
        check={state.check}
        target={target}
      />
      <div className={styles.actions}>
        <Button isPending={state.isPreviewing} onPress={() => state.show(input)}>
          {manifest.preview}
        </Button>
        <Button
          look="primary"
          isPending={state.isSaving}
          onPress={() => state.askOrSave({ ...input, base: draft.base })}
        >
          {manifest.save}
        </Button>
        <Checkbox isSelected={prune} onChange={setPrune}>
          {manifest.prune}
        </Checkbox>
      </div>
      {conflict && (
        <ConflictNote
          conflict={conflict}
          onDiscard={reload}
          onSave={() => state.askOrSave(input)}
        />
      )}
      <IssueList issues={issues} onChoose={setTarget} />
      {outcome && issues.length === 0 && <ChangeList outcome={outcome} />}
      {losses && <LossDialog {...losses} onClose={state.keep} />}
      {state.dialog}
    </div>
  );
}

/** Says that the text was typed before, and is not saved. */
function RestoredNote({ onDiscard }: { readonly onDiscard: () => void }) {
  const { restored, restoredText, discardText } = ownerMessages().manifest;
  return (
    <Note title={restored}>
      <p>{restoredText}</p>
      <Button isSmall onPress={onDiscard}>
        {discardText}
      </Button>
    </Note>
  );
}

interface ConflictNoteProps {
  readonly conflict: ChangeMeanwhile;
  readonly onDiscard: () => void;
  readonly onSave: () => void;
}

/** Says that the stored manifest changed after it was read. */
function ConflictNote({ conflict: { by, entries }, onDiscard, onSave }: ConflictNoteProps) {
  const forms = conflictMessages();
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

/** Asks before entries, or parts of them, are removed. */
function LossDialog({ lost, onConfirm, onClose }: Losses & { readonly onClose: () => void }) {
  const { manifest } = useMessages();
  const texts = ownerMessages().manifest;
  return (
    <ConfirmDialog
      title={texts.lossTitle}
      text={texts.lossText}
      confirm={manifest.save}
      isDangerous
      onClose={onClose}
      onConfirm={onConfirm}
    >
      <ul className={styles.losses}>
        {lost.map((path) => (
          <li key={path}>{path}</li>
        ))}
      </ul>
    </ConfirmDialog>
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
              {issue.path !== '' && <code>{issue.path} </code>}
              {issue.message}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
