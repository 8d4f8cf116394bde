import { useFormat } from '../../i18n/format.ts';
import { useMessages } from '../../i18n/messages.tsx';
import { Note } from '../../ui/note.tsx';
import type { EntryConflict } from './use-entry-form.ts';

/** Says that another person changed the entry while it was edited, and what saving does now. */
export function ConflictNote({ conflict }: { readonly conflict: EntryConflict | undefined }) {
  const { forms } = useMessages();
  const format = useFormat();
  if (conflict === undefined) {
    return null;
  }
  const { by, kind, labels } = conflict;
  const texts = {
    changed: forms.conflictText(labels.length === 0 ? forms.otherFields : labels.join(', ')),
    removed: forms.removedText,
    taken: forms.takenText,
  };
  return (
    <Note title={by ? forms.changedBy(by.name, format.dayAndTime(by.at)) : forms.changedMeanwhile}>
      <p>{texts[kind]}</p>
    </Note>
  );
}
