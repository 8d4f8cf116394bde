import type { ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';
import { Disclosure as AriaDisclosure, DisclosurePanel } from 'react-aria-components/Disclosure';
import { Icon } from './icons.tsx';
import { cx } from './cx.ts';
import styles from './disclosure.module.css';

interface DisclosureProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** A line that opens to show more. */
export const Disclosure = ({ title, children }: DisclosureProps) => (
  <AriaDisclosure className={cx(styles.disclosure)}>
    <Button slot="trigger" className={cx(styles.trigger)}>
      <Icon name="chevronRight" size={14} />
      {title}
    </Button>
    <DisclosurePanel className={cx(styles.panel)}>{children}</DisclosurePanel>
  </AriaDisclosure>
);
