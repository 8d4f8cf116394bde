import type { ReactElement, ReactNode } from 'react';
import { Header } from 'react-aria-components/Header';
import {
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  MenuSection as AriaMenuSection,
  MenuTrigger,
  type MenuItemProps as AriaMenuItemProps,
} from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { Separator } from 'react-aria-components/Separator';
import type { Selection } from 'react-aria-components/GridList';
import { Icon, type IconName } from './icons.tsx';
import { Keys } from './keys.tsx';
import { Text } from 'react-aria-components/Text';
import { cx } from './cx.ts';
import styles from './popover.module.css';

interface MenuProps {
  /** The accessible name of the list. */
  readonly label: string;
  readonly trigger: ReactElement;
  readonly children: ReactNode;
  readonly isOpen?: boolean;
  readonly onOpenChange?: (isOpen: boolean) => void;
  /** Whether it begins at its first entry, wherever the pointer is: for menus that a key opens. */
  readonly startsAtFirst?: boolean;
  readonly placement?: 'bottom start' | 'bottom end' | 'top start' | 'top end';
}

/** A button that opens a list of actions. */
export const Menu = ({
  label,
  trigger,
  children,
  isOpen,
  onOpenChange,
  startsAtFirst = false,
  placement,
}: MenuProps) => (
  <MenuTrigger {...(isOpen !== undefined && { isOpen })} {...(onOpenChange && { onOpenChange })}>
    {trigger}
    <Popover offset={4} className={cx(styles.popover)} placement={placement ?? 'bottom start'}>
      <AriaMenu
        aria-label={label}
        className={cx(styles.list)}
        {...(startsAtFirst && { autoFocus: 'first' as const })}
      >
        {children}
      </AriaMenu>
    </Popover>
  </MenuTrigger>
);

export interface MenuItemProps extends Omit<AriaMenuItemProps, 'className' | 'style' | 'children'> {
  readonly icon?: IconName;
  readonly shortcut?: string;
  readonly hint?: string;
  /** Explains the item, below it. */
  readonly description?: string;
  readonly isDangerous?: boolean;
  readonly children: string;
}

export const MenuItem = ({
  icon,
  shortcut,
  hint,
  description,
  isDangerous,
  children,
  ...props
}: MenuItemProps) => (
  <AriaMenuItem
    {...props}
    textValue={children}
    className={cx(styles.item)}
    {...(isDangerous && { 'data-danger': true })}
  >
    {({ selectionMode }) => (
      <>
        {icon && <Icon name={icon} />}
        {description === undefined ? (
          <span className={styles.itemText}>{children}</span>
        ) : (
          <span className={styles.itemText}>
            <Text slot="label">{children}</Text>
            <Text slot="description" className={cx(styles.itemDescription)}>
              {description}
            </Text>
          </span>
        )}
        {hint && <span className={styles.itemHint}>{hint}</span>}
        {shortcut && <Keys keys={shortcut} />}
        {selectionMode !== 'none' && (
          <span className={styles.check}>
            <Icon name="check" />
          </span>
        )}
      </>
    )}
  </AriaMenuItem>
);

interface MenuChoiceProps<T extends string> {
  readonly title: string;
  readonly value: T | null;
  readonly options: readonly {
    readonly id: T;
    readonly label: string;
    readonly hint?: string;
    readonly description?: string;
  }[];
  readonly onChoose: (id: T) => void;
}

/** A section of a menu in which one option is checked. */
export const MenuChoice = <T extends string>({
  title,
  value,
  options,
  onChoose,
}: MenuChoiceProps<T>) => (
  <AriaMenuSection
    selectionMode="single"
    disallowEmptySelection
    selectedKeys={value === null ? [] : [value]}
    onSelectionChange={(keys: Selection) => {
      const [chosen] = keys as Set<T>;
      if (chosen !== undefined) {
        onChoose(chosen);
      }
    }}
  >
    <Header className={cx(styles.header)}>{title}</Header>
    {options.map(({ id, label, hint, description }) => (
      <MenuItem
        key={id}
        id={id}
        {...(hint !== undefined && { hint })}
        {...(description !== undefined && { description })}
      >
        {label}
      </MenuItem>
    ))}
  </AriaMenuSection>
);

interface MenuChecksProps<T extends string> {
  readonly title: string;
  readonly values: readonly T[];
  readonly options: readonly { readonly id: T; readonly label: string }[];
  /** Gets the checked options in the order of `options`. */
  readonly onChange: (ids: readonly T[]) => void;
}

/** A section of a menu in which any number of options, but at least one, is checked. */
export const MenuChecks = <T extends string>({
  title,
  values,
  options,
  onChange,
}: MenuChecksProps<T>) => (
  <AriaMenuSection
    selectionMode="multiple"
    disallowEmptySelection
    selectedKeys={values}
    onSelectionChange={(keys: Selection) =>
      onChange(options.flatMap(({ id }) => (keys === 'all' || keys.has(id) ? [id] : [])))
    }
  >
    <Header className={cx(styles.header)}>{title}</Header>
    {options.map(({ id, label }) => (
      <MenuItem key={id} id={id}>
        {label}
      </MenuItem>
    ))}
  </AriaMenuSection>
);

export const MenuSeparator = () => <Separator className={cx(styles.separator)} />;
