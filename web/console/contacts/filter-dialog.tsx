import { useState } from 'react';
import { useMessages } from '../i18n/messages.tsx';
import { useTeam } from '../inbox/conversation-queries.ts';
import { Button } from '../ui/button.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import { splitTags, type ContactFilter } from './contact-filter.ts';

const ANYONE = 'anyone';
const PHONE = { any: undefined, with: true, without: false } as const;
type Phone = keyof typeof PHONE;

const phoneOf = (hasPhone: boolean | undefined): Phone =>
  hasPhone === undefined ? 'any' : hasPhone ? 'with' : 'without';

interface FilterDialogProps {
  readonly filter: ContactFilter;
  readonly onApply: (filter: ContactFilter) => void;
}

/** The button and the dialog with the filters that are not always in sight. */
export function FilterButton({ filter, onApply }: FilterDialogProps) {
  const { contactList } = useMessages();
  const [isOpen, setOpen] = useState(false);
  const { tags, assignedTo, source, hasPhone } = filter;
  const count = [tags, assignedTo, source, hasPhone].filter((one) => one !== undefined).length;
  return (
    <>
      <Button icon="settings" onPress={() => setOpen(true)}>
        {count === 0 ? contactList.filters : contactList.filtersOf(count)}
      </Button>
      {isOpen && <FilterDialog filter={filter} onApply={onApply} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Returns the values of the form, and the filter that they make. */
function useFilterForm({ tags, assignedTo, source, hasPhone, ...others }: ContactFilter) {
  const [values, setValues] = useState({
    tags: tags?.join(', ') ?? '',
    owner: assignedTo ?? ANYONE,
    source: source ?? '',
    phone: phoneOf(hasPhone),
  });
  const wanted = splitTags(values.tags);
  const isPhone = PHONE[values.phone];
  const filter: ContactFilter = {
    ...others,
    ...(wanted.length > 0 && { tags: wanted }),
    ...(values.owner !== ANYONE && { assignedTo: values.owner }),
    ...(values.source.trim() !== '' && { source: values.source.trim() }),
    ...(isPhone !== undefined && { hasPhone: isPhone }),
  };
  const set = (change: Partial<typeof values>) => setValues({ ...values, ...change });
  return { values, set, filter, cleared: others };
}

function FilterDialog({
  filter: stored,
  onApply,
  onClose,
}: FilterDialogProps & { readonly onClose: () => void }) {
  const { contactList, contacts } = useMessages();
  const { data: team = [], isPending } = useTeam();
  const { values, set, filter, cleared } = useFilterForm(stored);
  const apply = (next: ContactFilter) => {
    onApply(next);
    onClose();
  };
  return (
    <FormDialog
      title={contactList.filters}
      submit={contactList.apply}
      isOpen
      isPending={false}
      onClose={onClose}
      onSubmit={() => apply(filter)}
    >
      <TextField
        label={contactList.tagsAll}
        description={contacts.tagsHint}
        autoFocus
        value={values.tags}
        onChange={(tags) => set({ tags })}
      />
      <Select
        label={contactList.owner}
        {...(isPending && { placeholder: '…' })}
        value={values.owner}
        options={[
          { id: ANYONE, label: contactList.anyone },
          ...team.map(({ id, name }) => ({ id, label: name })),
        ]}
        onChange={(owner) => set({ owner })}
      />
      <TextField
        label={contacts.source}
        value={values.source}
        onChange={(source) => set({ source })}
      />
      <Select
        label={contactList.phoneNumber}
        value={values.phone}
        options={[
          { id: 'any', label: contactList.any },
          { id: 'with', label: contactList.withPhone },
          { id: 'without', label: contactList.withoutPhone },
        ]}
        onChange={(phone) => set({ phone })}
      />
      <Button look="ghost" onPress={() => apply(cleared)}>
        {contactList.clearFilters}
      </Button>
    </FormDialog>
  );
}
