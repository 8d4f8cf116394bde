import { parseDate } from '@internationalized/date';
import type { ReactNode } from 'react';
import { useMessages } from '../../i18n/messages.tsx';
import { usePlace } from '../../api/session.ts';
import { DateField } from '../../ui/date-field.tsx';
import { TextField } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { Checkbox } from '../../ui/switch.tsx';
import { TimeZoneField } from '../../ui/time-zone-field.tsx';
import { textOf, type EntryField, type FormValue, type FormValues } from './entry.ts';
import { MemberChoice } from './member-choice.tsx';
import { sectionMessages } from './section-messages.ts';
import styles from './forms.module.css';

export interface FieldGroupProps {
  readonly form: {
    readonly fields: readonly EntryField[];
    readonly values: FormValues;
    readonly setValues: (values: FormValues) => void;
    /** Returns what the server says about a field. */
    readonly errorOf: (path: string) => string | undefined;
    /** What the server says about the rest of the entry. */
    readonly otherErrors?: readonly string[];
  };
  /** The values of the entry around it, for an entry of a list. */
  readonly around?: FormValues;
  readonly Input?: (props: FieldInputProps) => ReactNode;
}

/** The declared fields of an entry. */
export const FieldGroup = ({ form, around = {}, Input = FieldInput }: FieldGroupProps) => (
  <>
    {form.fields
      .filter(({ isShown = () => true }) => isShown(form.values, around))
      .map((field) => (
        <div key={field.path} className={styles.fieldBox}>
          {field.heading !== undefined && <p className={styles.heading}>{field.heading}</p>}
          {field.headingText !== undefined && <p className={styles.hint}>{field.headingText}</p>}
          <Input
            field={field}
            value={form.values[field.path]}
            onChange={(value) => form.setValues({ ...form.values, [field.path]: value })}
            errorOf={form.errorOf}
            values={form.values}
          />
        </div>
      ))}
    {form.otherErrors?.map((error) => (
      <p key={error} role="alert" className={styles.error}>
        {error}
      </p>
    ))}
  </>
);

export interface FieldInputProps {
  readonly field: EntryField;
  readonly value: FormValue | undefined;
  readonly onChange: (value: FormValue) => void;
  readonly errorOf: (path: string) => string | undefined;
  /** The values of all fields of the entry. */
  readonly values: FormValues;
}

const INPUTS: Partial<Record<EntryField['kind'], (props: FieldInputProps) => ReactNode>> = {
  switch: SwitchInput,
  choice: ChoiceInput,
  zone: ZoneInput,
  color: ColorInput,
  date: DateInput,
  members: MemberChoice,
};

/** The input of a field, except of a list. */
export function FieldInput(props: FieldInputProps) {
  const Input = INPUTS[props.field.kind] ?? TextInput;
  return <Input {...props} />;
}

function SwitchInput({ field, value, onChange }: FieldInputProps) {
  return (
    <Checkbox isSelected={value === true} onChange={onChange}>
      {field.label}
    </Checkbox>
  );
}

function ChoiceInput({ field, value, onChange }: FieldInputProps) {
  return (
    <Select
      label={field.label}
      options={field.choices ?? []}
      value={textOf(value) || (field.byDefault ?? '')}
      onChange={onChange}
    />
  );
}

/** Empty stands for the zone of the sub-account. */
function ZoneInput({ field, value, onChange }: FieldInputProps) {
  const texts = sectionMessages();
  const { timezone } = usePlace().membership;
  return (
    <TimeZoneField
      label={field.label}
      value={String(value ?? '')}
      onChange={onChange}
      empty={texts.noZone}
      {...(!field.isRequired && { placeholder: texts.zoneHint(timezone) })}
    />
  );
}

function DateInput({ field, value, onChange, errorOf }: FieldInputProps) {
  const text = textOf(value);
  return (
    <DateField
      label={field.label}
      value={text === '' ? null : parseDate(text)}
      onChange={(date) => onChange(date?.toString() ?? '')}
      error={errorOf(field.path)}
    />
  );
}

/** A text with the browser's picker of colours. */
function ColorInput(props: FieldInputProps) {
  const { forms } = useMessages();
  const { field, value, onChange } = props;
  const texts = [textOf(value).trim(), field.hint ?? ''];
  const shown = texts.find((text) => /^#[\da-f]{6}$/i.test(text)) ?? '#000000';
  const picker = (
    <input
      type="color"
      aria-label={forms.pickColor}
      className={styles.color}
      value={shown}
      onChange={({ target }) => onChange(target.value)}
    />
  );
  return <TextInput {...props} beside={picker} />;
}

interface TextInputProps extends FieldInputProps {
  readonly beside?: ReactNode;
}

function TextInput({ field, value, onChange, errorOf, beside }: TextInputProps) {
  return (
    <TextField
      label={field.label}
      value={String(value ?? '')}
      onChange={onChange}
      isRequired={field.isRequired ?? false}
      error={errorOf(field.path)}
      beside={beside}
      {...(field.description !== undefined && { description: field.description })}
      {...(field.kind === 'number' && { inputMode: 'decimal' as const })}
      {...(field.kind === 'long' && { rows: 3 })}
      {...(field.kind === 'secret' && { type: 'password' as const, autoComplete: 'new-password' })}
      {...(field.hint !== undefined && { placeholder: field.hint })}
    />
  );
}
