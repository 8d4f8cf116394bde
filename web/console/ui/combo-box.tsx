import { Button } from 'react-aria-components/Button';
import { ComboBox as AriaComboBox } from 'react-aria-components/ComboBox';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { Icon } from './icons.tsx';
import { cx } from './cx.ts';
import fieldStyles from './field.module.css';
import popoverStyles from './popover.module.css';
import styles from './combo-box.module.css';

export interface ComboOption {
  readonly id: string;
  readonly label: string;
  /** Tells options with the same label apart. */
  readonly hint?: string;
}

interface ComboBoxProps {
  readonly label: string;
  readonly placeholder?: string;
  /** What matches the text; the server filters. */
  readonly options: readonly ComboOption[];
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly value: string | null;
  readonly onChange: (option: ComboOption | null) => void;
  /** Shown when nothing matches. */
  readonly empty: string;
  readonly autoFocus?: boolean;
  readonly onBlur?: () => void;
  readonly isOptional?: boolean;
}

/** A choice from a list that is too long to show: it is searched while typing. */
export const ComboBox = ({ options, value, onChange, text, onText, ...props }: ComboBoxProps) => (
  <AriaComboBox
    className={cx(fieldStyles.field)}
    items={options}
    inputValue={text}
    onInputChange={onText}
    selectedKey={value}
    onSelectionChange={(key) => onChange(options.find(({ id }) => id === key) ?? null)}
    allowsEmptyCollection
    isRequired={props.isOptional !== true}
    autoFocus={props.autoFocus ?? false}
    {...(props.onBlur && { onBlur: props.onBlur })}
  >
    <Label className={cx(fieldStyles.label)}>{props.label}</Label>
    <div className={styles.box}>
      <Input
        className={cx(fieldStyles.input)}
        {...(props.placeholder && { placeholder: props.placeholder })}
      />
      <Button className={cx(styles.button)}>
        <Icon name="chevronDown" size={14} />
      </Button>
    </div>
    <Popover offset={4} className={cx(popoverStyles.popover)}>
      <ListBox
        className={cx(popoverStyles.list)}
        renderEmptyState={() => <p className={styles.empty}>{props.empty}</p>}
      >
        {({ id, label, hint }: ComboOption) => (
          <ListBoxItem id={id} textValue={label} className={cx(popoverStyles.item)}>
            <span className={popoverStyles.itemText}>{label}</span>
            {hint && <span className={popoverStyles.itemHint}>{hint}</span>}
          </ListBoxItem>
        )}
      </ListBox>
    </Popover>
  </AriaComboBox>
);
