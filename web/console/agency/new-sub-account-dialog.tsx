import { useState } from 'react';
import { useFieldErrors } from '../ui/use-field-errors.ts';
import { languagesWith } from '../i18n/customer-languages.ts';
import { currentLocale } from '../i18n/locale.ts';
import { useMessages } from '../i18n/messages.tsx';
import { ownerMessages } from '../settings/owner-messages.ts';
import settingsStyles from '../settings/settings.module.css';
import { loadSubAccount } from '../shell/sub-account-path.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import { Checkbox } from '../ui/switch.tsx';
import { TimeZoneField } from '../ui/time-zone-field.tsx';
import { useShowError } from '../ui/use-show-error.ts';
import { useCreateSubAccount } from './agency-queries.ts';

const { timeZone } = Intl.DateTimeFormat().resolvedOptions();

/** Returns the browser's tag of the console's language, such as `en-GB`: it decides how dates are written. */
function ownTag(): string {
  const language = currentLocale();
  return navigator.languages.find((tag) => tag.startsWith(`${language}-`)) ?? language;
}

/** The values of the form, and what creates the sub-account. */
function useNewSubAccount() {
  const showError = useShowError(['name', 'currency']);
  const create = useCreateSubAccount();
  const [values, setValues] = useState({ name: '', timezone: timeZone, currency: 'USD' });
  const [locale, setLocale] = useState(ownTag);
  const [sandbox, setSandbox] = useState(false);
  const set = (field: keyof typeof values) => (value: string) =>
    setValues({ ...values, [field]: value });
  const submit = () =>
    create.mutate(
      { ...values, name: values.name.trim(), locale, sandbox },
      {
        onSuccess: ({ id }) => loadSubAccount(id),
        onError: showError,
      },
    );
  return { create, values, set, locale, setLocale, sandbox, setSandbox, submit };
}

/** Creates a sub-account or a sandbox, and opens it. */
export function NewSubAccountDialog({ onClose }: { readonly onClose: () => void }) {
  const { agency, settings } = useMessages();
  const texts = ownerMessages().subAccounts;
  const { create, values, set, locale, setLocale, sandbox, setSandbox, submit } =
    useNewSubAccount();
  const errorOf = useFieldErrors(create.error);
  return (
    <FormDialog
      title={agency.newSubAccount}
      submit={settings.create}
      isOpen
      isPending={create.isPending}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextField
        label={settings.name}
        isRequired
        autoFocus
        value={values.name}
        onChange={set('name')}
        error={errorOf('name')}
      />
      <TimeZoneField
        label={agency.timezone}
        value={values.timezone}
        onChange={set('timezone')}
        empty={texts.noZone}
      />
      <Select
        label={texts.language}
        value={locale}
        options={languagesWith(ownTag())}
        onChange={setLocale}
      />
      <TextField
        label={agency.currency}
        isRequired
        value={values.currency}
        onChange={set('currency')}
        error={errorOf('currency')}
      />
      <Checkbox isSelected={sandbox} onChange={setSandbox}>
        {agency.sandbox}
      </Checkbox>
      {sandbox && <p className={settingsStyles.hint}>{agency.sandboxText}</p>}
    </FormDialog>
  );
}
