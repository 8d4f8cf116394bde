import type { ZonedDateTime } from '@internationalized/date';
import { DateField, DateInput, DateSegment } from 'react-aria-components/DateField';
import { FieldError } from 'react-aria-components/FieldError';
import { Label } from 'react-aria-components/Label';
import { cx } from './cx.ts';
import fieldStyles from './field.module.css';
import styles from './date-field.module.css';

interface DateTimeFieldProps {
  readonly label: string;
  readonly value: ZonedDateTime | null;
  readonly onChange: (value: ZonedDateTime | null) => void;
  readonly minValue?: ZonedDateTime;
  readonly autoFocus?: boolean;
}

/** A date and a time, typed part by part in the user's own order. */
export const DateTimeField = ({ label, ...props }: DateTimeFieldProps) => (
  <DateField
    {...props}
    granularity="minute"
    hideTimeZone
    shouldForceLeadingZeros
    className={cx(fieldStyles.field)}
  >
    <Label className={cx(fieldStyles.label)}>{label}</Label>
    <DateInput className={cx(fieldStyles.input, styles.input)}>
      {(segment) => <DateSegment segment={segment} className={cx(styles.segment)} />}
    </DateInput>
    <FieldError className={cx(fieldStyles.error)} />
  </DateField>
);
