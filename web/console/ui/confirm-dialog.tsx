import type { ReactNode } from 'react';
import { useMessages } from '../i18n/messages.tsx';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

interface ConfirmDialogProps {
  readonly title: string;
  /** What will happen. */
  readonly text: string;
  /** What to know before it, such as a warning. */
  readonly children?: ReactNode;
  /** The name of the action. */
  readonly confirm: string;
  /** The name of the button that changes nothing; "Cancel" by default. */
  readonly keep?: string;
  readonly isDangerous?: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

/** Asks before something that cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, text, confirm, isDangerous = false, onClose, onConfirm } = props;
  const { common } = useMessages();
  const actions = (
    <>
      <Button onPress={onClose}>{props.keep ?? common.cancel}</Button>
      <Button
        look={isDangerous ? 'danger' : 'primary'}
        autoFocus
        onPress={() => {
          onClose();
          onConfirm();
        }}
      >
        {confirm}
      </Button>
    </>
  );
  return (
    <Dialog title={title} isOpen onClose={onClose} actions={actions}>
      <p>{text}</p>
      {props.children}
    </Dialog>
  );
}
