import type { ReactNode } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { useMessages } from '../i18n/messages.tsx';
import { Button, IconButton } from './button.tsx';
import { cx } from './cx.ts';
import styles from './dialog.module.css';

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** The buttons at the end, the main one last. */
  readonly actions?: ReactNode;
  readonly isWide?: boolean;
}

/** A modal dialog: it keeps the focus, closes with Escape, and gives the focus back. */
export function Dialog({ title, isOpen, onClose, children, actions, isWide }: DialogProps) {
  const { common } = useMessages();
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
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

interface FormDialogProps extends Omit<DialogProps, 'actions'> {
  readonly submit: string;
  readonly isPending: boolean;
  readonly isDisabled?: boolean;
  readonly onSubmit: () => void;
}

/** A dialog with a form; Enter in a field submits it. */
export function FormDialog({
  submit,
  isPending,
  isDisabled = false,
  onSubmit,
  children,
  ...props
}: FormDialogProps) {
  const { common } = useMessages();
  const form = `form-${submit.replaceAll(/\W/g, '')}`;
  const actions = (
    <>
      <Button onPress={props.onClose}>{common.cancel}</Button>
      <Button
        look="primary"
        type="submit"
        form={form}
        isPending={isPending}
        isDisabled={isDisabled}
      >
        {submit}
      </Button>
    </>
  );
  return (
    <Dialog {...props} actions={actions}>
      <form
        id={form}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isDisabled) {
            onSubmit();
          }
        }}
      >
        {children}
      </form>
    </Dialog>
  );
}
