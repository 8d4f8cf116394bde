import type { ReactNode } from 'react';
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components/Tabs';
import { cx } from './cx.ts';
import styles from './tabs.module.css';

interface TabItem {
  readonly id: string;
  readonly label: string;
  readonly content: ReactNode;
}

interface TabsProps {
  readonly label: string;
  readonly items: readonly TabItem[];
  readonly selected: string;
  readonly onSelect: (id: string) => void;
}

/** Tabs whose selection the caller holds, so that it can be in the address. */
export const Tabs = ({ label, items, selected, onSelect }: TabsProps) => (
  <AriaTabs
    selectedKey={selected}
    onSelectionChange={(key) => onSelect(String(key))}
    className={cx(styles.tabs)}
  >
    <TabList aria-label={label} className={cx(styles.list)}>
      {items.map((item) => (
        <Tab key={item.id} id={item.id} className={cx(styles.tab)}>
          {item.label}
        </Tab>
      ))}
    </TabList>
    {items.map(({ id, content }) => (
      <TabPanel key={id} id={id} className={cx(styles.panel)}>
        {content}
      </TabPanel>
    ))}
  </AriaTabs>
);
