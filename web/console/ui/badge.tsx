import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import styles from './badge.module.css';

export type Tone = 'neutral' | 'accent' | 'good' | 'warn' | 'bad';

/** A short state or label. */
export const Badge = ({
  tone = 'neutral',
  children,
}: {
  readonly tone?: Tone;
  readonly children: ReactNode;
}) => <span className={cx(styles.badge, styles[tone])}>{children}</span>;

/** How many there are; nothing for none. */
export const Count = ({
  value,
  isStrong = false,
}: {
  readonly value: number;
  readonly isStrong?: boolean;
}) =>
  value > 0 ? (
    <span className={cx(styles.count, isStrong && styles.strong)}>
      {value > 99 ? '99+' : value}
    </span>
  ) : null;
