import { parseDate } from '@internationalized/date';
import { useState } from 'react';
import type { Contact } from '../../../sdk/src/generated/contacts.ts';
import { useCanWrite } from '../api/session.ts';
import { useMessages } from '../i18n/messages.tsx';
import { AssigneeField } from '../inbox/assignee-field.tsx';
import { useUnsaved } from '../shell/use-unsaved.tsx';
import { Button } from '../ui/button.tsx';
import { DateField } from '../ui/date-field.tsx';
import { TextField } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import { showToast, useClearErrors } from '../ui/toast.tsx';
import { useFieldErrors } from '../ui/use-field-errors.ts';
import { useShowError } from '../ui/use-show-error.ts';
import { changedSince } from './changed-since.ts';
import { STAGES, splitTags } from './contact-filter.ts';
import { useUpdateContact } from './contact-queries.ts';
import { CustomFieldInputs, useCustomValues } from './custom-field-inputs.tsx';
import styles from './contacts.module.css';

const FIELDS = [
  'firstName',
  'lastName',
  'email',
  'phone',
  'company',
  'title',
  'addressLine1',
  'postalCode',
  'city',
  'country',
  'source',
] as const;
type Field = (typeof FIELDS)[number] | 'dateOfBirth' | 'lifecycleStage' | 'assignedTo';

/** The fields that show their own errors. */
const SHOW_ERRORS = [...FIELDS, 'tags'];

const UNASSIGNED = '';

/** Returns what the user changed, and the function that sends only that. */
function useDetails(contact: Contact) {
  const { common } = useMessages();
  const custom = useCustomValues(contact);
  const showError = useShowError([
    ...SHOW_ERRORS,
    ...custom.fields.map(({ name }) => `customFields/${name}`),
  ]);
  const update = useUpdateContact(contact.id);
  const [values, setValues] = useState<Partial<Record<Field | 'tags', string>>>({});
  const submit = () => {
    const { tags: given, ...fields } = values;
    const required = (field: string) => field === 'firstName' || field === 'lastName';
    const changed = Object.entries(fields).map(([field, value]) => [
      field,
      value.trim() === '' && !required(field) ? null : value.trim(),
    ]);
    const tags = given === undefined ? undefined : splitTags(given);
    update.mutate(
      {
        ...Object.fromEntries(changed),
        ...(tags && { tags }),
        ...(Object.keys(custom.changed).length > 0 && { customFields: custom.changed }),
      },
      {
        onSuccess() {
          setValues((now) => changedSince(values, now));
          custom.forget(custom.changed);
          showToast({ text: common.saved });
        },
        onError: showError,
      },
    );
  };
  return {
    values,
    set: (field: Field | 'tags', value: string) => setValues({ ...values, [field]: value }),
    custom,
    isChanged: Object.keys({ ...values, ...custom.changed }).length > 0,
    submit,
    isPending: update.isPending,
    errorOf: useFieldErrors(update.error),
  };
}

/** The details of a contact as a form; viewers only read them. */
export function ContactDetails({ contact }: { readonly contact: Contact }) {
  const { contacts, contactList, imports } = useMessages();
  const { values, set, custom, isChanged, submit, isPending, errorOf } = useDetails(contact);
  const clearErrors = useClearErrors();
  const unsaved = useUnsaved(isChanged);
  const isReadOnly = !useCanWrite();
  const labels = { ...imports.fields, ...contacts, title: contacts.jobTitle };
  const tags = contact.tags.join(', ');
  const assignedTo = values.assignedTo ?? contact.assignedTo;
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        clearErrors();
        submit();
      }}
    >
      {FIELDS.map((field) => (
        <TextField
          key={field}
          label={labels[field]}
          value={values[field] ?? contact[field] ?? ''}
          isReadOnly={isReadOnly}
          onChange={(value) => set(field, value)}
          error={errorOf(field)}
        />
      ))}
      <BirthField
        value={values.dateOfBirth ?? contact.dateOfBirth ?? ''}
        isReadOnly={isReadOnly}
        onChange={(value) => set('dateOfBirth', value)}
      />
      <Select
        label={contacts.stage}
        value={values.lifecycleStage ?? contact.lifecycleStage}
        options={STAGES.map((id) => ({ id, label: contacts.stages[id] }))}
        isDisabled={isReadOnly}
        onChange={(stage) => set('lifecycleStage', stage)}
      />
      <AssigneeField
        label={contactList.owner}
        value={assignedTo === UNASSIGNED ? null : assignedTo}
        isDisabled={isReadOnly}
        onChange={(id) => set('assignedTo', id ?? UNASSIGNED)}
      />
      <TextField
        label={contacts.tags}
        description={!isReadOnly && contacts.tagsHint}
        isReadOnly={isReadOnly}
        value={values.tags ?? tags}
        onChange={(value) => set('tags', value)}
        error={errorOf('tags')}
      />
      <CustomFieldInputs custom={custom} isReadOnly={isReadOnly} errorOf={errorOf} />
      {!isReadOnly && <Save isPending={isPending} isDisabled={!isChanged} />}
      {unsaved.dialog}
    </form>
  );
}

function Save(props: { readonly isPending: boolean; readonly isDisabled: boolean }) {
  const { common } = useMessages();
  return (
    <div className={styles.formActions}>
      <Button {...props} look="primary" type="submit">
        {common.save}
      </Button>
    </div>
  );
}

interface BirthFieldProps {
  /** As `1985-03-12`; '' without one. */
  readonly value: string;
  readonly isReadOnly: boolean;
  readonly onChange: (value: string) => void;
}

const BirthField = ({ value, isReadOnly, onChange }: BirthFieldProps) => (
  <DateField
    label={useMessages().contacts.dateOfBirth}
    value={value === '' ? null : parseDate(value)}
    isReadOnly={isReadOnly}
    onChange={(date) => onChange(date?.toString() ?? '')}
  />
);
