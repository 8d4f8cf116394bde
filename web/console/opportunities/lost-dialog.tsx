import { useState } from 'react';
import { useMessages } from '../i18n/messages.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { TextField } from '../ui/field.tsx';

interface LostDialogProps {
  /** Of the deal. */
  readonly name: string;
  readonly onClose: () => void;
  readonly onSubmit: (reason: string) => void;
}

/** Asks why a deal was lost. */
export function LostDialog({ name, onClose, onSubmit }: LostDialogProps) {
  const { opportunities } = useMessages();
  const [reason, setReason] = useState('');
  return (
    <FormDialog
      title={`${opportunities.lostTitle}: ${name}`}
      submit={opportunities.lostTitle}
      isOpen
      isPending={false}
      onClose={onClose}
      onSubmit={() => {
        onSubmit(reason.trim());
        onClose();
      }}
    >
      <TextField
        label={opportunities.lostReason}
        autoFocus
        rows={3}
        value={reason}
        onChange={setReason}
      />
    </FormDialog>
  );
}
