import { useState, type ReactNode } from 'react';
import { useMessages } from '../i18n/messages.tsx';
import { useTeam } from '../inbox/conversation-queries.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import type { BulkChange, ContactSelection } from './bulk-queries.ts';
import { splitTags, type ContactFilter } from './contact-filter.ts';
import { useContactCount } from './contact-queries.ts';

const UNASSIGNED = 'unassigned';

interface BulkDialogProps {
  readonly filter: ContactFilter;
  readonly selection: ContactSelection;
  readonly onClose: () => void;
  readonly onChange: (selection: ContactSelection, change: BulkChange) => void;
}

/** Returns how many contacts are selected; those of a filter are counted now. */
function useSelectedCount(selection: ContactSelection, filter: ContactFilter) {
  const { data } = useContactCount(filter);
  return 'contactIds' in selection ? selection.contactIds.length : data;
}

/** Adds tags to the selected contacts, or removes them. */
export function TagDialog({
  isRemoving,
  ...props
}: BulkDialogProps & { readonly isRemoving: boolean }) {
  const { bulk, contacts } = useMessages();
  const { selection, onClose, onChange } = props;
  const [text, setText] = useState('');
  const tags = splitTags(text);
  const submit = () => {
    onChange(selection, isRemoving ? { removeTags: tags } : { addTags: tags });
    onClose();
  };
  return (
    <CountedDialog
      {...props}
      title={isRemoving ? bulk.untag : bulk.tag}
      isReady={tags.length > 0}
      onSubmit={submit}
    >
      <TextField
        label={isRemoving ? bulk.tagsToRemove : bulk.tagsToAdd}
        description={contacts.tagsHint}
        autoFocus
        isRequired
        value={text}
        onChange={setText}
      />
    </CountedDialog>
  );
}

/** Assigns the selected contacts to a member of the team, or removes the assignment. */
export function AssignDialog(props: BulkDialogProps) {
  const { bulk, contactList } = useMessages();
  const { selection, onClose, onChange } = props;
  const { data: team = [] } = useTeam();
  const [member, setMember] = useState<string | null>(null);
  const submit = () => {
    onChange(selection, { assignedTo: member === UNASSIGNED ? null : member });
    onClose();
  };
  return (
    <CountedDialog {...props} title={bulk.assign} isReady={member !== null} onSubmit={submit}>
      <Select
        label={contactList.owner}
        value={member}
        options={[
          ...team.map(({ id, name }) => ({ id, label: name })),
          { id: UNASSIGNED, label: bulk.unassigned },
        ]}
        onChange={setMember}
      />
    </CountedDialog>
  );
}

interface CountedDialogProps extends BulkDialogProps {
  readonly title: string;
  readonly isReady: boolean;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

/** A dialog that says how many contacts it is about before it acts. */
function CountedDialog(props: CountedDialogProps) {
  const { title, selection, filter, isReady, onClose, onSubmit, children } = props;
  const { bulk } = useMessages();
  const count = useSelectedCount(selection, filter);
  return (
    <FormDialog
      title={title}
      submit={title}
      isOpen
      isPending={count === undefined}
      onClose={onClose}
      onSubmit={() => count !== undefined && isReady && onSubmit()}
    >
      {children}
      <p>{count === undefined ? bulk.counting : bulk.affects(count)}</p>
    </FormDialog>
  );
}

interface ExportDialogProps extends Omit<BulkDialogProps, 'onChange'> {
  readonly onExport: () => void;
}

/** Says how many contacts the file has before it is downloaded. */
export function ExportDialog({ selection, filter, onClose, onExport }: ExportDialogProps) {
  const { bulk } = useMessages();
  const count = useSelectedCount(selection, filter);
  return (
    <ConfirmDialog
      title={bulk.export}
      text={count === undefined ? bulk.counting : bulk.exports(count)}
      confirm={bulk.export}
      onClose={onClose}
      onConfirm={onExport}
    />
  );
}
