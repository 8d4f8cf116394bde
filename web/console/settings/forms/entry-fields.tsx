import { TextField } from '../../ui/field.tsx';
import { Checkbox } from '../../ui/switch.tsx';
import type { EntryField, FormValues } from './entry.ts';

interface EntryFieldsProps {
  readonly form: {
    readonly fields: readonly EntryField[];
    readonly values: FormValues;
    readonly setValues: (values: FormValues) => void;
    /** Returns what the server says about a field. */
    readonly errorOf: (path: string) => string | undefined;
  };
}

/** The declared fields of a form over the manifest. */
export const EntryFields = ({ form: { fields, values, setValues, errorOf } }: EntryFieldsProps) =>
  fields.map(({ path, label, kind, isRequired = false, hint }) =>
    kind === 'switch' ? (
      <Checkbox
        key={path}
        isSelected={values[path] === true}
        onChange={(value) => setValues({ ...values, [path]: value })}
      >
        {label}
      </Checkbox>
    ) : (
      <TextField
        key={path}
        label={label}
        value={String(values[path] ?? '')}
        onChange={(value) => setValues({ ...values, [path]: value })}
        isRequired={isRequired}
        error={errorOf(path)}
        {...(kind === 'number' && { inputMode: 'decimal' as const })}
        {...(kind === 'long' && { rows: 3 })}
        {...(kind === 'secret' && { type: 'password' as const, autoComplete: 'new-password' })}
        {...(hint !== undefined && { placeholder: hint })}
      />
    ),
  );
