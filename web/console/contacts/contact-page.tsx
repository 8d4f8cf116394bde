import { parseDate } from '@internationalized/date';
import { useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import type { Contact } from '../../../sdk/src/generated/contacts.ts';
import { useCanWrite } from '../api/session.ts';
import { BookButton } from '../calendar/book-button.tsx';
import { useMessages } from '../i18n/messages.tsx';
import { AssigneeField } from '../inbox/assignee-field.tsx';
import { Page } from '../shell/page.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { DateField } from '../ui/date-field.tsx';
import { TextField } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { ErrorState } from '../ui/states.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { showToast, useClearErrors } from '../ui/toast.tsx';
import { useContact, useUpdateContact } from './contact-queries.ts';
import { ConsentPanel } from './consent-panel.tsx';
import { STAGES, splitTags } from './contact-filter.ts';
import { useFieldErrors } from '../ui/use-field-errors.ts';
import { useShowError } from '../ui/use-show-error.ts';
import { NewMenu } from './new-menu.tsx';
import { PersonActions } from './person-actions.tsx';
import { Timeline } from './timeline.tsx';
import styles from './contacts.module.css';

/** One contact: what happened, and their details. */
export function ContactPage({ contactId }: { readonly contactId: string }) {
  const { contacts, common, consent } = useMessages();
  const [, navigate] = useLocation();
  const [params, setParams] = useSearchParams();
  const { data: contact, error, refetch } = useContact(contactId);
  if (contact === undefined) {
    return error === null ? (
      <SkeletonRows />
    ) : (
      <ErrorState error={error} onRetry={() => void refetch()} />
    );
  }
  const items = [
    { id: 'timeline', label: contacts.timeline, content: <Timeline contactId={contactId} /> },
    {
      id: 'details',
      label: contacts.details,
      content: <Details key={contact.updatedAt} contact={contact} />,
    },
    { id: 'consent', label: consent.title, content: <ConsentPanel contact={contact} /> },
  ];
  return (
    <Page
      title={`${contact.firstName} ${contact.lastName}`.trim() || common.unnamed}
      hint={<Badge>{contacts.stages[contact.lifecycleStage]}</Badge>}
      before={<IconButton icon="back" label={common.back} onPress={() => navigate('/contacts')} />}
      actions={
        <>
          <BookButton contactId={contactId} />
          <NewMenu contact={contact} />
          <PersonActions contact={contact} />
        </>
      }
    >
      <Tabs
        label={contacts.details}
        items={items}
        selected={items.find(({ id }) => id === params.get('tab'))?.id ?? 'timeline'}
        onSelect={(tab) => setParams({ tab }, { replace: true })}
      />
    </Page>
  );
}

const FIELDS = [
  'firstName',
  'lastName',
  'email',
  'phone',
  'company',
  'title',
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
  const showError = useShowError(SHOW_ERRORS);
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
      { ...Object.fromEntries(changed), ...(tags && { tags }) },
      {
        onSuccess: () => showToast({ text: common.saved }),
        onError: showError,
      },
    );
  };
  return {
    values,
    set: (field: Field | 'tags', value: string) => setValues({ ...values, [field]: value }),
    submit,
    isPending: update.isPending,
    errorOf: useFieldErrors(update.error),
  };
}

/** The details as a form; viewers only read them. */
function Details({ contact }: { readonly contact: Contact }) {
  const { contacts, contactList } = useMessages();
  const { values, set, submit, isPending, errorOf } = useDetails(contact);
  const clearErrors = useClearErrors();
  const isReadOnly = !useCanWrite();
  const labels = { ...contacts, title: contacts.jobTitle };
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
      {!isReadOnly && <Save isPending={isPending} isDisabled={Object.keys(values).length === 0} />}
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
