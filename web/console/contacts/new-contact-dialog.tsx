import { useState } from 'react';
import { useLocation } from 'wouter';
import { useMessages } from '../i18n/messages.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { showToast } from '../ui/toast.tsx';
import { useFieldErrors } from '../ui/use-field-errors.ts';
import { useShowError } from '../ui/use-show-error.ts';
import { useCreateContact } from './contact-queries.ts';

const EMPTY = { firstName: '', lastName: '', email: '', phone: '', company: '' };
type Field = keyof typeof EMPTY;
const FIELDS = Object.keys(EMPTY) as Field[];

/** Creates a contact and opens its page. */
export function NewContactDialog({ onClose }: { readonly onClose: () => void }) {
  const { common, contacts } = useMessages();
  const [, navigate] = useLocation();
  const [values, setValues] = useState(EMPTY);
  const create = useCreateContact();
  const showError = useShowError(FIELDS);
  const errorOf = useFieldErrors(create.error);
  const submit = () => {
    const given = Object.entries(values).filter(([, value]) => value.trim() !== '');
    const body = { firstName: '', lastName: '', ...Object.fromEntries(given) };
    create.mutate(body, {
      onSuccess(contact) {
        showToast({ text: contacts.createdContact });
        onClose();
        navigate(`/contacts/${contact.id}`);
      },
      onError: showError,
    });
  };
  const labels: Readonly<Record<Field, string>> = {
    firstName: contacts.firstName,
    lastName: contacts.lastName,
    email: contacts.email,
    phone: contacts.phone,
    company: contacts.company,
  };
  return (
    <FormDialog
      title={contacts.newContact}
      submit={common.save}
      isOpen
      isPending={create.isPending}
      onClose={onClose}
      onSubmit={submit}
    >
      {FIELDS.map((field, index) => (
        <TextField
          key={field}
          label={labels[field]}
          name={field}
          autoFocus={index === 0}
          isRequired={field === 'firstName' || field === 'lastName'}
          value={values[field]}
          onChange={(value) => setValues({ ...values, [field]: value })}
          error={errorOf(field)}
        />
      ))}
    </FormDialog>
  );
}
