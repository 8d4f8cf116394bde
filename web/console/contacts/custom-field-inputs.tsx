import { parseDate } from '@internationalized/date';
import { useState } from 'react';
import type { Contact, CustomField } from '../../../sdk/src/generated/contacts.ts';
import { useMessages } from '../i18n/messages.tsx';
import { DateField } from '../ui/date-field.tsx';
import { TextField } from '../ui/field.tsx';
import { NumberField } from '../ui/number-field.tsx';
import { Select } from '../ui/select.tsx';
import { changedSince } from './changed-since.ts';
import { useCustomFields } from './contact-columns.ts';

/** The value of a custom field; null without one. */
type CustomValue = string | number | boolean | null;
type Values = Readonly<Record<string, CustomValue | undefined>>;

/** Returns the custom fields of a contact, and what the user changed. */
export function useCustomValues({ customFields }: Contact) {
  const { data: fields = [] } = useCustomFields();
  const [changed, setChanged] = useState<Values>({});
  const all: Values = { ...(customFields as Values), ...changed };
  return {
    fields,
    changed,
    valueOf: (name: string): CustomValue => all[name] ?? null,
    set: (name: string, value: CustomValue) => setChanged({ ...changed, [name]: value }),
    /** Forgets what was saved, but not what was changed since. */
    forget: (saved: Values) => setChanged((now) => changedSince(saved, now)),
  };
}

interface CustomFieldInputsProps {
  readonly custom: ReturnType<typeof useCustomValues>;
  readonly isReadOnly: boolean;
  /** Returns what the server says about a field of the contact. */
  readonly errorOf: (field: string) => string | undefined;
}

/** The custom fields of a contact, in the order of the manifest. */
export const CustomFieldInputs = ({ custom, isReadOnly, errorOf }: CustomFieldInputsProps) =>
  custom.fields.map((field) => (
    <CustomFieldInput
      key={field.name}
      field={field}
      value={custom.valueOf(field.name)}
      isReadOnly={isReadOnly}
      onChange={(value) => custom.set(field.name, value)}
      error={errorOf(`customFields/${field.name}`)}
    />
  ));

interface CustomFieldInputProps {
  readonly field: CustomField;
  readonly value: CustomValue;
  readonly isReadOnly: boolean;
  readonly onChange: (value: CustomValue) => void;
  readonly error: string | undefined;
}

/** A value may be from before the field had its type. */
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const UNSET = '';
const FRACTION_DIGITS_MAX = 15;

/** A custom field of a contact, as its type is entered. */
function CustomFieldInput({ field, value, onChange, ...props }: CustomFieldInputProps) {
  const { approvals } = useMessages();
  const { label, type } = field;
  const { isReadOnly } = props;
  switch (type) {
    case 'number':
      return (
        <NumberField
          {...props}
          label={label}
          maxFractionDigits={FRACTION_DIGITS_MAX}
          value={typeof value === 'number' ? value : null}
          onChange={onChange}
        />
      );
    case 'date':
      return (
        <DateField
          label={label}
          isReadOnly={isReadOnly}
          value={typeof value === 'string' && DATE.test(value) ? parseDate(value) : null}
          onChange={(date) => onChange(date?.toString() ?? null)}
        />
      );
    case 'select':
    case 'boolean':
      return (
        <Select
          label={label}
          isDisabled={isReadOnly}
          options={[{ id: UNSET, label: '–' }, ...choicesOf(field, approvals)]}
          value={value === null ? UNSET : String(value)}
          onChange={(id) => onChange(id === UNSET ? null : type === 'select' ? id : id === 'true')}
        />
      );
    case 'text':
    case 'url':
    case 'email':
    case 'phone':
      return (
        <TextField
          {...props}
          label={label}
          value={value === null ? '' : String(value)}
          onChange={(text) => onChange(text.trim() === '' ? null : text)}
        />
      );
  }
}

const choicesOf = (
  { type, options }: CustomField,
  { yes, no }: { readonly yes: string; readonly no: string },
): readonly { readonly id: string; readonly label: string }[] =>
  type === 'boolean'
    ? [
        { id: 'true', label: yes },
        { id: 'false', label: no },
      ]
    : (options ?? []).map((id) => ({ id, label: id }));
