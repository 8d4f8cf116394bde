import {
  Checkbox as AriaCheckbox,
  type CheckboxProps as AriaCheckboxProps,
} from 'react-aria-components/Checkbox';
import {
  Switch as AriaSwitch,
  type SwitchProps as AriaSwitchProps,
} from 'react-aria-components/Switch';
import { Icon } from './icons.tsx';
import { cx } from './cx.ts';
import styles from './switch.module.css';

type SwitchProps = Omit<AriaSwitchProps, 'className' | 'style' | 'children'> & {
  readonly children: string;
};

/** Turns something on or off at once. */
export const Switch = ({ children, ...props }: SwitchProps) => (
  <AriaSwitch {...props} className={cx(styles.switch)}>
    <span className={styles.track} />
    {children}
  </AriaSwitch>
);

type CheckboxProps = Omit<AriaCheckboxProps, 'className' | 'style' | 'children'> & {
  readonly children?: string;
};

/** A choice that takes effect with its form, or that selects a row. */
export const Checkbox = ({ children, ...props }: CheckboxProps) => (
  <AriaCheckbox {...props} className={cx(styles.checkbox)}>
    <span className={styles.box}>
      <Icon name="check" size={12} />
    </span>
    {children}
  </AriaCheckbox>
);
