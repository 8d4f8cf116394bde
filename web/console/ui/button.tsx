import type { ReactNode, Ref } from 'react';
import {
  Button as AriaButton,
  type ButtonProps as AriaButtonProps,
} from 'react-aria-components/Button';
import { ProgressBarContext } from 'react-aria-components/ProgressBar';
import { useSlottedContext } from 'react-aria-components/slots';
import { useMessages } from '../i18n/messages.tsx';
import { cx } from './cx.ts';
import { Icon, type IconName } from './icons.tsx';
import { Tooltip } from './tooltip.tsx';
import styles from './button.module.css';

type Look = 'primary' | 'secondary' | 'ghost' | 'danger';

export interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'style' | 'children'> {
  readonly look?: Look;
  readonly isSmall?: boolean;
  readonly icon?: IconName;
  readonly children: ReactNode;
  readonly ref?: Ref<HTMLButtonElement>;
}

/**
 * A button with a text, and an icon before it. While `isPending` it keeps its width and the focus, and
 * screen readers announce it.
 */
export function Button({
  look = 'secondary',
  isSmall = false,
  icon,
  children,
  ...props
}: ButtonProps) {
  return (
    <AriaButton
      {...props}
      {...(look === 'ghost' && isSmall && { 'data-flush': true })}
      className={cx(styles.button, styles[look], isSmall && styles.small)}
    >
      {icon && <Icon name={icon} size={isSmall ? 14 : 16} />}
      <span className={styles.text}>
        {children}
        {props.isPending && <Pending />}
      </span>
    </AriaButton>
  );
}

/**
 * Part of the button's name, which is announced when the state changes. A text, since the names of progress
 * bars are left out of the names of buttons; the button refers to it by the id of one.
 */
function Pending() {
  const { common } = useMessages();
  const progress = useSlottedContext(ProgressBarContext);
  return (
    <span id={progress?.id} className={styles.pending}>
      {' '}
      {common.pending}
    </span>
  );
}

export interface IconButtonProps extends Omit<AriaButtonProps, 'className' | 'style' | 'children'> {
  readonly icon: IconName;
  /** The accessible name, which the tooltip shows too. */
  readonly label: string;
  /** The key that does the same, shown in the tooltip. */
  readonly shortcut?: string;
  readonly isSmall?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** A square button with an icon; its name is in a tooltip. */
export const IconButton = ({ icon, label, shortcut, isSmall, ...props }: IconButtonProps) => (
  <Tooltip text={label} {...(shortcut && { shortcut })}>
    <AriaButton
      {...props}
      aria-label={label}
      className={cx(styles.button, styles.ghost, styles.square, isSmall && styles.small)}
    >
      <Icon name={icon} />
    </AriaButton>
  </Tooltip>
);
