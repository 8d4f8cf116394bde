import { useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { useMessages } from '../i18n/messages.tsx';
import { cx } from '../ui/cx.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { Icon } from '../ui/icons.tsx';
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { showToast } from '../ui/toast.tsx';
import { isSameFilter, sentFilter, type ContactFilter } from './contact-filter.ts';
import { useFieldErrors } from '../ui/use-field-errors.ts';
import { useCreateView, useDeleteView, useUpdateView, type NamedView } from './view-queries.ts';
import { useShowError } from '../ui/use-show-error.ts';
import styles from './contacts.module.css';

const ALL = 'all';

interface ViewMenuProps {
  readonly views: readonly NamedView[];
  /** The open view; undefined for the list of all contacts. */
  readonly view: NamedView | undefined;
  readonly filter: ContactFilter;
  readonly columns: readonly string[];
  readonly onOpen: (filter: ContactFilter, viewId: string | null) => void;
}

/** Opens, saves, renames and deletes the user's views. */
export function ViewMenu({ views, view, filter, columns, onOpen }: ViewMenuProps) {
  const { contactList } = useMessages();
  const [naming, setNaming] = useState<'new' | 'rename'>();
  const isChanged = !isSameFilter(filter, view?.filter ?? {});
  const name = view?.name ?? contactList.allContacts;
  const options = views.map(({ id, name: label }) => ({ id, label }));
  const open = (id: string) =>
    onOpen(views.find((one) => one.id === id)?.filter ?? {}, id === ALL ? null : id);
  const { saveFilter, deleteView } = useViewActions(onOpen);
  return (
    <>
      <Menu
        label={contactList.view}
        trigger={
          <AriaButton className={cx(styles.view)} aria-label={`${contactList.view}: ${name}`}>
            <span className={styles.viewName}>{name}</span>
            {isChanged && view && <span className={styles.changed} aria-hidden="true" />}
            <Icon name="chevronDown" size={14} />
          </AriaButton>
        }
      >
        <MenuChoice
          title={contactList.view}
          value={view?.id ?? ALL}
          options={[{ id: ALL, label: contactList.allContacts }, ...options]}
          onChoose={open}
        />
        <MenuSeparator />
        <MenuItem onAction={() => setNaming('new')}>{contactList.saveView}</MenuItem>
        {view && isChanged && (
          <MenuItem onAction={() => saveFilter(view, filter)}>{contactList.saveChanges}</MenuItem>
        )}
        {view && <MenuItem onAction={() => setNaming('rename')}>{contactList.renameView}</MenuItem>}
        {view && (
          <MenuItem isDangerous onAction={() => deleteView(view)}>
            {contactList.deleteView}
          </MenuItem>
        )}
      </Menu>
      {naming && (
        <NameDialog
          view={naming === 'rename' ? view : undefined}
          content={{ filter: sentFilter(filter), columns }}
          onClose={() => setNaming(undefined)}
          onSaved={({ id }) => onOpen(filter, id)}
        />
      )}
    </>
  );
}

/** Returns what changes a saved view. */
function useViewActions(onOpen: ViewMenuProps['onOpen']) {
  const { contactList } = useMessages();
  const onError = useShowError();
  const update = useUpdateView();
  const remove = useDeleteView();
  return {
    saveFilter: ({ id, name }: NamedView, filter: ContactFilter) =>
      update.mutate(
        { id, filter: sentFilter(filter) },
        { onSuccess: () => showToast({ text: contactList.viewSaved, detail: name }), onError },
      ),
    deleteView: ({ id, name }: NamedView) =>
      remove.mutate(id, {
        onSuccess() {
          showToast({ text: contactList.viewDeleted, detail: name });
          onOpen({}, null);
        },
        onError,
      }),
  };
}

interface NameDialogProps {
  /** The view to rename; undefined to save a new one. */
  readonly view: NamedView | undefined;
  readonly content: Pick<NamedView, 'filter' | 'columns'>;
  readonly onClose: () => void;
  readonly onSaved: (view: NamedView) => void;
}

function NameDialog({ view, content, onClose, onSaved }: NameDialogProps) {
  const { contactList, common } = useMessages();
  const showError = useShowError(['name']);
  const [name, setName] = useState(view?.name ?? '');
  const create = useCreateView();
  const update = useUpdateView();
  const errorOf = useFieldErrors(create.error ?? update.error);
  const onSuccess = (saved: NamedView) => {
    showToast({ text: contactList.viewSaved, detail: saved.name });
    onSaved(saved);
    onClose();
  };
  const callbacks = { onSuccess, onError: showError };
  const submit = () =>
    view
      ? update.mutate({ id: view.id, name: name.trim() }, callbacks)
      : create.mutate({ ...content, name: name.trim() }, callbacks);
  return (
    <FormDialog
      title={view ? contactList.renameView : contactList.saveView}
      submit={common.save}
      isOpen
      isPending={create.isPending || update.isPending}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextField
        label={contactList.viewName}
        autoFocus
        isRequired
        maxLength={60}
        value={name}
        onChange={setName}
        error={errorOf('name')}
      />
    </FormDialog>
  );
}
