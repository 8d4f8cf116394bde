import type { ReactNode, Ref } from 'react';
import { FieldError } from 'react-aria-components/FieldError';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import {
  SearchField as AriaSearchField,
  type SearchFieldProps as AriaSearchFieldProps,
} from 'react-aria-components/SearchField';
import { Text } from 'react-aria-components/Text';
import { TextArea } from 'react-aria-components/TextArea';
import {
  TextField as AriaTextField,
  type TextFieldProps as AriaTextFieldProps,
} from 'react-aria-components/TextField';
import { Button } from 'react-aria-components/Button';
import { useMessages } from '../i18n/messages.tsx';
import { Icon } from './icons.tsx';
import { cx } from './cx.ts';
import styles from './field.module.css';

interface LabelledProps {
  readonly label: string;
  readonly description?: ReactNode;
  /** The message below the field while it is invalid. */
  readonly error?: string | undefined;
}

export interface TextFieldProps
  extends Omit<AriaTextFieldProps, 'className' | 'style' | 'children'>, LabelledProps {
  readonly rows?: number;
  readonly placeholder?: string;
  /** Shown at the end of the line, such as a picker. */
  readonly beside?: ReactNode;
  readonly ref?: Ref<HTMLInputElement>;
}

/** A labelled field of one line, or of several with `rows`. */
export const TextField = ({
  label,
  description,
  error,
  rows,
  placeholder,
  beside,
  ref,
  ...props
}: TextFieldProps) => (
  <AriaTextField
    {...props}
    isInvalid={error !== undefined}
    // What the server refused may be sent again: the browser must not block the form because of it.
    validationBehavior={error === undefined ? 'native' : 'aria'}
    className={cx(styles.field)}
  >
    <Label className={cx(styles.label)}>{label}</Label>
    {rows === undefined ? (
      <div className={cx(styles.line)}>
        <Input
          {...(ref && { ref })}
          {...(placeholder && { placeholder })}
          className={cx(styles.input)}
        />
        {beside}
      </div>
    ) : (
      <TextArea
        rows={rows}
        {...(placeholder && { placeholder })}
        className={cx(styles.input, styles.area)}
      />
    )}
    {description && (
      <Text slot="description" className={cx(styles.description)}>
        {description}
      </Text>
    )}
    <FieldError className={cx(styles.error)}>{error}</FieldError>
  </AriaTextField>
);

export interface SearchFieldProps extends Omit<
  AriaSearchFieldProps,
  'className' | 'style' | 'children'
> {
  /** The accessible name and the placeholder. */
  readonly label: string;
}

/** A search box; Escape empties it. */
export function SearchField({ label, ...props }: SearchFieldProps) {
  const messages = useMessages();
  return (
    <AriaSearchField {...props} aria-label={label} className={cx(styles.search)}>
      <Icon name="search" size={14} />
      <Input placeholder={label} className={cx(styles.searchInput)} />
      <Button className={cx(styles.clear)} aria-label={messages.common.clear}>
        <Icon name="close" size={14} />
      </Button>
    </AriaSearchField>
  );
}
