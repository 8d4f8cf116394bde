import type { CalendarDate, Time, ZonedDateTime } from '@internationalized/date';
import {
  DateField as AriaDateField,
  DateInput,
  DateSegment,
  type DateFieldProps as AriaDateFieldProps,
} from 'react-aria-components/DateField';
import { FieldError } from 'react-aria-components/FieldError';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import { TimeField as AriaTimeField } from 'react-aria-components/TimeField';
import { cx } from './cx.ts';
import fieldStyles from './field.module.css';
import styles from './date-field.module.css';

type DateValue = CalendarDate | ZonedDateTime;

interface DateFieldProps<T extends DateValue> {
  readonly label: string;
  readonly value: T | null;
  readonly onChange: (value: T | null) => void;
  readonly minValue?: T;
  readonly description?: string;
  /** What is wrong with the value. */
  readonly error?: string | undefined;
  /** What an empty field begins with when a part is changed by keys. */
  readonly placeholderValue?: T;
  readonly autoFocus?: boolean;
  readonly isReadOnly?: boolean;
}

/** A date and a time, typed part by part in the user's own order. */
export const DateTimeField = (props: DateFieldProps<ZonedDateTime>) => (
  <PartsField {...props} granularity="minute" />
);

/** A date without a time. */
export const DateField = (props: DateFieldProps<CalendarDate>) => (
  <PartsField {...props} granularity="day" />
);

type PartsFieldProps<T extends DateValue> = DateFieldProps<T> &
  Required<Pick<AriaDateFieldProps<T>, 'granularity'>>;

const PartsField = <T extends DateValue>({
  label,
  description,
  error,
  ...props
}: PartsFieldProps<T>) => (
  <AriaDateField
    {...props}
    onChange={(value) => props.onChange(value as T | null)}
    isInvalid={error !== undefined}
    validationBehavior={error === undefined ? 'native' : 'aria'}
    hideTimeZone
    shouldForceLeadingZeros
    className={cx(fieldStyles.field)}
  >
    <Label className={cx(fieldStyles.label)}>{label}</Label>
    <DateInput className={cx(fieldStyles.input, styles.input)}>
      {(segment) => <DateSegment segment={segment} className={cx(styles.segment)} />}
    </DateInput>
    {description && (
      <Text slot="description" className={cx(fieldStyles.description)}>
        {description}
      </Text>
    )}
    <FieldError className={cx(fieldStyles.error)}>{error}</FieldError>
  </AriaDateField>
);

interface TimeFieldProps {
  readonly label: string;
  readonly value: Time | null;
  readonly onChange: (value: Time | null) => void;
}

/** A time of day. */
export const TimeField = ({ label, value, onChange }: TimeFieldProps) => (
  <AriaTimeField<Time>
    value={value}
    onChange={onChange}
    shouldForceLeadingZeros
    className={cx(fieldStyles.field)}
  >
    <Label className={cx(fieldStyles.label)}>{label}</Label>
    <DateInput className={cx(fieldStyles.input, styles.input)}>
      {(segment) => <DateSegment segment={segment} className={cx(styles.segment)} />}
    </DateInput>
    <FieldError className={cx(fieldStyles.error)} />
  </AriaTimeField>
);
