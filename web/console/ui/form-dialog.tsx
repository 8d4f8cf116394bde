import { useState, type KeyboardEvent } from 'react';
import { useMessages } from '../i18n/messages.tsx';
import { Button } from './button.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { Dialog, type DialogProps } from './dialog.tsx';
import { useClearErrors } from './toast.tsx';
import styles from './dialog.module.css';

export interface Deletion {
  readonly name: string;
  readonly onConfirm: () => void;
}

/** The parts of a date do not submit a form by themselves; Ctrl+Enter does so from every field. */
function submitWithEnter(event: KeyboardEvent<HTMLFormElement>): void {
  const { key, ctrlKey, metaKey, target, currentTarget } = event;
  const isDatePart = target instanceof Element && target.role === 'spinbutton';
  if (key === 'Enter' && (isDatePart || ctrlKey || metaKey)) {
    event.preventDefault();
    event.stopPropagation();
    currentTarget.requestSubmit();
  }
}

interface FormDialogProps extends Omit<DialogProps, 'actions' | 'onDismiss'> {
  readonly submit: string;
  readonly isPending: boolean;
  readonly isDisabled?: boolean;
  readonly isDangerous?: boolean;
  readonly onSubmit: () => void;
  /** What the form shows, if it can be deleted: asks, then deletes. */
  readonly deletion?: Deletion | undefined;
}

/**
 * A dialog with a form; Enter in a field submits it. Escape and a click outside ask before what was
 * typed is lost.
 */
export function FormDialog({
  submit,
  isPending,
  isDisabled = false,
  isDangerous = false,
  onSubmit,
  deletion,
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
      {deletion && !isDisabled && <DeleteButton {...deletion} />}
      <Button onPress={props.onClose}>{common.cancel}</Button>
      <Button
        look={isDangerous ? 'danger' : 'primary'}
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
        onKeyDownCapture={submitWithEnter}
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

/** Asks, then deletes. */
function DeleteButton({ name, onConfirm }: Deletion) {
  const { common } = useMessages();
  const [isAsking, setAsking] = useState(false);
  return (
    <span className={styles.apart}>
      <Button onPress={() => setAsking(true)}>{common.delete}</Button>
      {isAsking && (
        <ConfirmDialog
          title={common.deleteTitle(name)}
          text={common.deleteText}
          confirm={common.delete}
          isDangerous
          onClose={() => setAsking(false)}
          onConfirm={onConfirm}
        />
      )}
    </span>
  );
}

interface DiscardDialogProps {
  readonly onKeep: () => void;
  readonly onDiscard: () => void;
}

/** Asks before the input of a form is lost. */
export function DiscardDialog({ onKeep, onDiscard }: DiscardDialogProps) {
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
