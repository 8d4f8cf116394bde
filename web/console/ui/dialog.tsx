import { useState, type ReactNode } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { useMessages } from '../i18n/messages.tsx';
import { Button, IconButton } from './button.tsx';
import { cx } from './cx.ts';
import { useClearErrors } from './toast.tsx';
import styles from './dialog.module.css';

interface DialogProps {
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

interface FormDialogProps extends Omit<DialogProps, 'actions' | 'onDismiss'> {
  readonly submit: string;
  readonly isPending: boolean;
  readonly isDisabled?: boolean;
  readonly onSubmit: () => void;
}

/**
 * A dialog with a form; Enter in a field submits it. Escape and a click outside ask before what was
 * typed is lost.
 */
export function FormDialog({
  submit,
  isPending,
  isDisabled = false,
  onSubmit,
  children,
  ...props
}: FormDialogProps) {
  const { common } = useMessages();
  const clearErrors = useClearErrors();
  const [isChanged, setChanged] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
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
    <Dialog
      {...props}
      actions={actions}
      onDismiss={() => (isChanged ? setLeaving(true) : props.onClose())}
    >
      <form
        id={form}
        className={styles.form}
        onInput={() => setChanged(true)}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isDisabled) {
            clearErrors();
            onSubmit();
          }
        }}
      >
        {children}
      </form>
      {isLeaving && <DiscardDialog onKeep={() => setLeaving(false)} onDiscard={props.onClose} />}
    </Dialog>
  );
}

interface DiscardDialogProps {
  readonly onKeep: () => void;
  readonly onDiscard: () => void;
}

/** Asks before the input of a form is lost. */
function DiscardDialog({ onKeep, onDiscard }: DiscardDialogProps) {
  const { common } = useMessages();
  const actions = (
    <>
      <Button autoFocus onPress={onKeep}>
        {common.keepEditing}
      </Button>
      <Button look="danger" onPress={onDiscard}>
        {common.discard}
      </Button>
    </>
  );
  return (
    <Dialog title={common.discardTitle} isOpen onClose={onKeep} actions={actions}>
      <p>{common.discardText}</p>
    </Dialog>
  );
}
