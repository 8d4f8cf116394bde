import { FieldError } from 'react-aria-components/FieldError';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { NumberField as AriaNumberField } from 'react-aria-components/NumberField';
import { cx } from './cx.ts';
import styles from './field.module.css';

interface NumberFieldProps {
  readonly label: string;
  readonly value: number | null;
  readonly onChange: (value: number | null) => void;
  readonly minValue?: number;
  readonly maxFractionDigits?: number;
  readonly isReadOnly?: boolean;
  /** The message below the field while it is invalid. */
  readonly error?: string | undefined;
}

/** A number as the user's language writes it; null while the field is empty. */
export const NumberField = ({
  label,
  value,
  onChange,
  minValue,
  maxFractionDigits = 0,
  isReadOnly = false,
  error,
}: NumberFieldProps) => (
  <AriaNumberField
    isReadOnly={isReadOnly}
    isInvalid={error !== undefined}
    validationBehavior={error === undefined ? 'native' : 'aria'}
    value={value ?? Number.NaN}
    onChange={(next) => onChange(Number.isNaN(next) ? null : next)}
    {...(minValue !== undefined && { minValue })}
    formatOptions={{ maximumFractionDigits: maxFractionDigits }}
    className={cx(styles.field)}
  >
    <Label className={cx(styles.label)}>{label}</Label>
    <Input className={cx(styles.input)} />
    <FieldError className={cx(styles.error)}>{error}</FieldError>
  </AriaNumberField>
);
