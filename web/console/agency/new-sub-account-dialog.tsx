import { useState } from 'react';
import { useFieldErrors } from '../contacts/new-contact-dialog.tsx';
import { useMessages } from '../i18n/messages.tsx';
import { openSubAccount } from '../shell/sub-account-path.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { useErrorText } from '../ui/states.tsx';
import { Checkbox } from '../ui/switch.tsx';
import { showToast } from '../ui/toast.tsx';
import { useCreateSubAccount } from './agency-queries.ts';

const { timeZone } = Intl.DateTimeFormat().resolvedOptions();

/** Creates a sub-account or a sandbox. */
export function NewSubAccountDialog({ onClose }: { readonly onClose: () => void }) {
  const { agency, settings } = useMessages();
  const describe = useErrorText();
  const create = useCreateSubAccount();
  const errorOf = useFieldErrors(create.error);
  const [values, setValues] = useState({ name: '', timezone: timeZone, currency: 'EUR' });
  const [sandbox, setSandbox] = useState(false);
  const submit = () =>
    create.mutate(
      { ...values, name: values.name.trim(), sandbox },
      {
        onSuccess({ id, name }) {
          const action = { label: agency.open, onPress: () => openSubAccount(id) };
          showToast({ text: agency.created, detail: name, action });
          onClose();
        },
        onError(error) {
          const { title, detail } = describe(error);
          showToast({ text: title, detail, isError: true });
        },
      },
    );
  const fields = [
    ['name', settings.name],
    ['timezone', agency.timezone],
    ['currency', agency.currency],
  ] as const;
  return (
    <FormDialog
      title={agency.newSubAccount}
      submit={settings.create}
      isOpen
      isPending={create.isPending}
      onClose={onClose}
      onSubmit={submit}
    >
      {fields.map(([field, label], index) => (
        <TextField
          key={field}
          label={label}
          isRequired
          autoFocus={index === 0}
          value={values[field]}
          onChange={(value) => setValues({ ...values, [field]: value })}
          error={errorOf(field)}
        />
      ))}
      <Checkbox isSelected={sandbox} onChange={setSandbox}>
        {agency.sandbox}
      </Checkbox>
      <p>{agency.sandboxText}</p>
    </FormDialog>
  );
}
