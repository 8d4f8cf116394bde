import { now, type ZonedDateTime } from '@internationalized/date';
import { useState } from 'react';
import { useMessages } from '../i18n/messages.tsx';
import { useZone } from '../i18n/zone.ts';
import { DateTimeField } from '../ui/date-field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';

interface SnoozeDialogProps {
  readonly onSnooze: (until: Date) => void;
  readonly onClose: () => void;
}

/** Asks for the date and time. */
export function SnoozeDialog({ onSnooze, onClose }: SnoozeDialogProps) {
  const { thread } = useMessages();
  const earliest = now(useZone());
  const [until, setUntil] = useState<ZonedDateTime | null>(
    earliest.add({ days: 1 }).set({ hour: 9, minute: 0, second: 0, millisecond: 0 }),
  );
  const submit = () => {
    if (until !== null && until.compare(earliest) > 0) {
      onSnooze(until.toDate());
      onClose();
    }
  };
  return (
    <FormDialog
      title={thread.snoozeTitle}
      submit={thread.snooze}
      isOpen
      isPending={false}
      onClose={onClose}
      onSubmit={submit}
    >
      <DateTimeField
        label={thread.snoozeDate}
        value={until}
        onChange={setUntil}
        minValue={earliest}
      />
    </FormDialog>
  );
}
