import { useState } from 'react';
import { useLocation } from 'wouter';
import { FrontdeskError } from '../../../sdk/src/error.ts';
import { useMessages } from '../i18n/messages.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { useErrorText } from '../ui/states.tsx';
import { showToast } from '../ui/toast.tsx';
import { useCreateContact } from './contact-queries.ts';

const EMPTY = { firstName: '', lastName: '', email: '', phone: '', company: '' };
type Field = keyof typeof EMPTY;

/** Creates a contact and opens its page. */
export function NewContactDialog({ onClose }: { readonly onClose: () => void }) {
  const { contacts } = useMessages();
  const [, navigate] = useLocation();
  const [values, setValues] = useState(EMPTY);
  const create = useCreateContact();
  const describe = useErrorText();
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
      onError(error) {
        const { title, detail } = describe(error);
        showToast({ text: title, detail, isError: true });
      },
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
      submit={contacts.newContact}
      isOpen
      isPending={create.isPending}
      onClose={onClose}
      onSubmit={submit}
    >
      {(Object.keys(EMPTY) as Field[]).map((field, index) => (
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

/** Returns the function that finds what the server says about a field. */
export const useFieldErrors =
  (error: Error | null) =>
  (field: string): string | undefined =>
    error instanceof FrontdeskError
      ? error.issues.find(({ path }) => path === `/${field}`)?.message
      : undefined;

/** Returns whether everything that the server says is about these fields. */
export const isAboutFields = (error: unknown, fields: readonly string[]): boolean =>
  error instanceof FrontdeskError &&
  error.issues.length > 0 &&
  error.issues.every(({ path }) => fields.some((field) => path === `/${field}`));
