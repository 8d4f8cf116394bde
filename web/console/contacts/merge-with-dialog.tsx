import { useState } from 'react';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { useLocation } from 'wouter';
import type { Contact } from '../../../sdk/src/generated/contacts.ts';
import { useMessages } from '../i18n/messages.tsx';
import { cx } from '../ui/cx.ts';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { useContacts } from './contact-queries.ts';
import { useContactName } from './contact-table.tsx';
import { MergeDialog } from './merge-dialog.tsx';
import popoverStyles from '../ui/popover.module.css';

interface MergeWithDialogProps {
  readonly contact: Contact;
  readonly onClose: () => void;
}

/** Finds the contact to merge with, then shows the outcome. */
export function MergeWithDialog({ contact, onClose }: MergeWithDialogProps) {
  const { merging } = useMessages();
  const [, navigate] = useLocation();
  const nameOf = useContactName();
  const [search, setSearch] = useState('');
  const [otherId, setOtherId] = useState<string>();
  const { data } = useContacts({ search });
  const found = (data?.pages[0]?.data ?? []).filter(({ id }) => id !== contact.id).slice(0, 8);
  if (otherId !== undefined) {
    return (
      <MergeDialog
        keptId={contact.id}
        otherId={otherId}
        onClose={onClose}
        onMerged={(keptId) => navigate(`/contacts/${keptId}`)}
      />
    );
  }
  return (
    <Dialog title={merging.mergeWith} isOpen onClose={onClose}>
      <TextField
        label={merging.find}
        description={merging.findHint}
        autoFocus
        value={search}
        onChange={setSearch}
      />
      <ListBox
        aria-label={merging.find}
        className={cx(popoverStyles.list)}
        items={found}
        onAction={(id) => setOtherId(String(id))}
      >
        {(one) => (
          <ListBoxItem id={one.id} textValue={nameOf(one)} className={cx(popoverStyles.item)}>
            <span className={popoverStyles.itemText}>{nameOf(one)}</span>
            <span className={popoverStyles.itemHint}>{one.email ?? one.phone ?? ''}</span>
          </ListBoxItem>
        )}
      </ListBox>
    </Dialog>
  );
}
