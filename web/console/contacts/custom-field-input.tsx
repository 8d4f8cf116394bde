import { parseDate } from '@internationalized/date';
import type { CustomField } from '../../../sdk/src/generated/contacts.ts';
import { useMessages } from '../i18n/messages.tsx';
import { DateField } from '../ui/date-field.tsx';
import { TextField } from '../ui/field.tsx';
import { NumberField } from '../ui/number-field.tsx';
import { Select } from '../ui/select.tsx';

/** The value of a custom field; null without one. */
export type CustomValue = string | number | boolean | null;

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
export function CustomFieldInput({ field, value, onChange, ...props }: CustomFieldInputProps) {
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
      return (
        <Select
          label={label}
          isDisabled={isReadOnly}
          options={[UNSET, ...(field.options ?? [])].map((id) => ({ id, label: id || '–' }))}
          value={value === null ? UNSET : String(value)}
          onChange={(id) => onChange(id === UNSET ? null : id)}
        />
      );
    case 'boolean':
      return (
        <Select
          label={label}
          isDisabled={isReadOnly}
          options={[
            { id: UNSET, label: '–' },
            { id: 'true', label: approvals.yes },
            { id: 'false', label: approvals.no },
          ]}
          value={value === null ? UNSET : String(value)}
          onChange={(id) => onChange(id === UNSET ? null : id === 'true')}
        />
      );
    default:
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
