import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Contact } from '../../../sdk/src/generated/contacts.ts';
import { consoleCalls } from '../api/client.ts';
import { downloadFile } from '../api/download.ts';
import { usePlace } from '../api/session.ts';
import { useMessages } from '../i18n/messages.tsx';
import { useAttempts } from '../shell/recent-sign-in.tsx';
import { useDeleteRecord } from '../shell/use-delete-record.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { refreshLists } from './contact-queries.ts';
import { MergeWithDialog } from './merge-with-dialog.tsx';
import styles from './contacts.module.css';

/** What was erased in a table, in rows. */
interface ErasedRows {
  readonly table: string;
  readonly deleted: number;
  readonly blanked: number;
}

interface ErasureReport {
  readonly sharedAddresses: number;
  readonly tables: readonly ErasedRows[];
}

function useErase(contactId: string) {
  const { subAccountId } = usePlace().membership;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () =>
      consoleCalls(subAccountId).data<ErasureReport>(
        'POST',
        `/api/v1/contacts/${contactId}/erase`,
        {},
      ),
    onSuccess: () => refreshLists(queries, subAccountId),
  });
}

/** Merging and deletion, for members who may write; a copy of everything about a person and its erasure, for admins. */
export function PersonActions({ contact }: { readonly contact: Contact }) {
  const { person, merging } = useMessages();
  const { role, subAccountId } = usePlace().membership;
  const { attempt, dialog } = useAttempts();
  const [open, setOpen] = useState<'merge' | 'delete' | 'erase'>();
  const close = () => setOpen(undefined);
  if (role === 'viewer') {
    return null;
  }
  const isAdmin = role !== 'agent';
  const path = `/contacts/${contact.id}/export`;
  const download = () => downloadFile(subAccountId, path, `contact-${contact.id}.zip`);
  return (
    <>
      <Menu
        label={person.actions}
        placement="bottom end"
        trigger={<IconButton icon="more" label={person.actions} />}
      >
        <MenuItem onAction={() => setOpen('merge')}>{merging.mergeWith}</MenuItem>
        {isAdmin && <MenuItem onAction={() => attempt(download)}>{person.export}</MenuItem>}
        <MenuItem isDangerous onAction={() => setOpen('delete')}>
          {person.delete}
        </MenuItem>
        {isAdmin && (
          <MenuItem isDangerous onAction={() => setOpen('erase')}>
            {person.erase}
          </MenuItem>
        )}
      </Menu>
      {open === 'merge' && <MergeWithDialog contact={contact} onClose={close} />}
      {open === 'delete' && <DeleteDialog contact={contact} onClose={close} />}
      {open === 'erase' && <EraseDialog contact={contact} onClose={close} />}
      {dialog}
    </>
  );
}

interface DialogProps {
  readonly contact: Contact;
  readonly onClose: () => void;
}

const nameOf = ({ id, firstName, lastName }: Contact): string =>
  `${firstName} ${lastName}`.trim() || id;

/** Deletes the contact, and leads to the list. */
function DeleteDialog({ contact, onClose }: DialogProps) {
  const { person, common } = useMessages();
  const [, navigate] = useLocation();
  const name = nameOf(contact);
  const deletionOf = useDeleteRecord('contacts', () => navigate('/contacts'));
  return (
    <ConfirmDialog
      title={common.deleteTitle(name)}
      text={person.deleteText}
      confirm={person.delete}
      isDangerous
      onClose={onClose}
      onConfirm={deletionOf({ id: contact.id, name }).onConfirm}
    />
  );
}

/** Erases the person once their name is typed, and shows what was erased. */
function EraseDialog({ contact, onClose }: DialogProps) {
  const { person, common } = useMessages();
  const [, navigate] = useLocation();
  const { attempt, dialog } = useAttempts();
  const erase = useErase(contact.id);
  const [typed, setTyped] = useState('');
  const name = nameOf(contact);
  if (erase.data) {
    const leave = () => navigate('/contacts');
    const done = <Button onPress={leave}>{common.done}</Button>;
    return (
      <Dialog title={person.erased} isOpen onClose={leave} actions={done}>
        <Report report={erase.data} />
      </Dialog>
    );
  }
  const actions = (
    <>
      <Button onPress={onClose}>{common.cancel}</Button>
      <Button
        look="danger"
        isDisabled={typed.trim() !== name}
        isPending={erase.isPending}
        onPress={() => attempt(() => erase.mutateAsync())}
      >
        {person.erase}
      </Button>
    </>
  );
  return (
    <Dialog title={person.eraseTitle(name)} isOpen onClose={onClose} actions={actions}>
      <p>{person.eraseText}</p>
      <TextField autoFocus label={person.typeName(name)} value={typed} onChange={setTyped} />
      {dialog}
    </Dialog>
  );
}

function Report({ report: { tables, sharedAddresses } }: { readonly report: ErasureReport }) {
  const { person } = useMessages();
  return (
    <>
      <p>{person.erasedText}</p>
      <dl className={styles.report}>
        {tables.map(({ table, deleted, blanked }) => (
          <div key={table}>
            <dt>{table}</dt>
            <dd>{person.rows(deleted, blanked)}</dd>
          </div>
        ))}
      </dl>
      {sharedAddresses > 0 && <p>{person.shared(sharedAddresses)}</p>}
    </>
  );
}
