import { today } from '@internationalized/date';
import { useState } from 'react';
import { useCanWrite, usePlace } from '../api/session.ts';
import { useMessages } from '../i18n/messages.tsx';
import { Button } from '../ui/button.tsx';
import { lazily } from '../ui/lazily.tsx';

const BookingDialog = lazily(async () => (await import('./booking-dialog.tsx')).BookingDialog);

interface BookButtonProps {
  readonly contactId: string;
  readonly isSmall?: boolean;
}

/** Books an appointment for a contact, where the contact is shown. */
export function BookButton({ contactId, isSmall = false }: BookButtonProps) {
  const { planner } = useMessages();
  const { timezone } = usePlace().membership;
  const [isOpen, setOpen] = useState(false);
  if (!useCanWrite()) {
    return null;
  }
  return (
    <>
      <Button icon="calendar" isSmall={isSmall} onPress={() => setOpen(true)}>
        {planner.book}
      </Button>
      {isOpen && (
        <BookingDialog
          start={today(timezone)}
          contactId={contactId}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
