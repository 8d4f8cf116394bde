import type { ReactNode } from 'react';
import { Icon } from './icons.tsx';
import styles from './note.module.css';

interface NoteProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** A warning inside a form or page, which screen readers announce. */
export const Note = ({ title, children }: NoteProps) => (
  <div className={styles.note} role="alert">
    <Icon name="warning" />
    <div className={styles.text}>
      <p className={styles.title}>{title}</p>
      {children}
    </div>
  </div>
);
