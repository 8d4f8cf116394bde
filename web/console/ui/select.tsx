import { Button } from 'react-aria-components/Button';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { Select as AriaSelect, SelectValue } from 'react-aria-components/Select';
import { Icon } from './icons.tsx';
import { cx } from './cx.ts';
import fieldStyles from './field.module.css';
import popoverStyles from './popover.module.css';
import styles from './select.module.css';

interface Option<T extends string> {
  readonly id: T;
  readonly label: string;
}

interface SelectProps<T extends string> {
  readonly label: string;
  readonly isLabelHidden?: boolean;
  readonly options: readonly Option<T>[];
  readonly value: T | null;
  readonly onChange: (value: T) => void;
  readonly placeholder?: string;
  readonly isDisabled?: boolean;
}

/** A choice of one from a short list. */
export const Select = <T extends string>(props: SelectProps<T>) => (
  <AriaSelect
    className={cx(fieldStyles.field)}
    selectedKey={props.value}
    onSelectionChange={(key) => key !== null && props.onChange(key as T)}
    isDisabled={props.isDisabled ?? false}
    {...(props.placeholder && { placeholder: props.placeholder })}
    {...(props.isLabelHidden && { 'aria-label': props.label })}
  >
    {!props.isLabelHidden && <Label className={cx(fieldStyles.label)}>{props.label}</Label>}
    <Button className={cx(fieldStyles.input, styles.button)}>
      <SelectValue className={cx(styles.value)} />
      <Icon name="chevronDown" size={14} />
    </Button>
    <Popover offset={4} className={cx(popoverStyles.popover)}>
      <ListBox className={cx(popoverStyles.list)} items={props.options}>
        {({ id, label }) => (
          <ListBoxItem id={id} textValue={label} className={cx(popoverStyles.item)}>
            <span className={popoverStyles.itemText}>{label}</span>
            <span className={popoverStyles.check}>
              <Icon name="check" />
            </span>
          </ListBoxItem>
        )}
      </ListBox>
    </Popover>
  </AriaSelect>
);
