import type { ReactNode } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { useMessages } from '../i18n/messages.tsx';
import { IconButton } from './button.tsx';
import { cx } from './cx.ts';
import styles from './dialog.module.css';

export interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** The buttons at the end, the main one last. */
  readonly actions?: ReactNode;
  readonly isWide?: boolean;
  /** Called instead of `onClose` for Escape and a click outside, which may be accidents. */
  readonly onDismiss?: () => void;
}

/** A modal dialog: it keeps the focus, closes with Escape, and gives the focus back. */
export function Dialog(props: DialogProps) {
  const { title, isOpen, onClose, children, actions, isWide, onDismiss = onClose } = props;
  const { common } = useMessages();
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => !open && onDismiss()}
      isDismissable
      className={cx(styles.overlay)}
    >
      <Modal className={cx(styles.modal, isWide && styles.wide)}>
        <AriaDialog className={cx(styles.dialog)}>
          <header className={styles.header}>
            <Heading slot="title" className={cx(styles.title)}>
              {title}
            </Heading>
            <IconButton icon="close" label={common.close} isSmall onPress={onClose} />
          </header>
          <div className={styles.body}>{children}</div>
          {actions && <footer className={styles.actions}>{actions}</footer>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
