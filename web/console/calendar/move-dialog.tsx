import { fromAbsolute } from '@internationalized/date';
import { useState } from 'react';
import type { Appointment } from '../../../sdk/src/generated/appointments.ts';
import { usePlace } from '../api/session.ts';
import { useMessages } from '../i18n/messages.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { AppointmentFacts } from './appointment-facts.tsx';
import type { SlotTimes } from './appointment-queries.ts';
import { MemberSelect, useChosenMember } from './member-select.tsx';
import { useAppointmentTypes } from './schedule-queries.ts';
import { StartField, useIsFree } from './start-field.tsx';

interface MoveDialogProps {
  readonly appointment: Appointment;
  /** The start that was tried, such as by dragging; the current one by default. */
  readonly start?: number;
  readonly isPending: boolean;
  readonly onClose: () => void;
  readonly onMove: (to: SlotTimes & { readonly assignedTo?: string | undefined }) => void;
}

/** Asks for the new start, and for the member if any of several could take it; the length stays. */
export function MoveDialog({ appointment, start, isPending, onClose, onMove }: MoveDialogProps) {
  const { calendar } = useMessages();
  const { timezone } = usePlace().membership;
  const { id, appointmentTypeId, startTime, endTime, assignedTo } = appointment;
  const [value, setValue] = useState(() => fromAbsolute(start ?? Date.parse(startTime), timezone));
  const { data: types = [], isPending: isUnknown } = useAppointmentTypes();
  const type = types.find((one) => one.id === appointmentTypeId);
  const member = useChosenMember(type, assignedTo);
  const of = { kind: 'move', appointmentId: id, memberId: member.id } as const;
  const isFree = useIsFree(of, value);
  const submit = () => {
    const begin = value.toDate().getTime();
    const lengthMs = Date.parse(endTime) - Date.parse(startTime);
    onMove({ startTime: begin, endTime: begin + lengthMs, assignedTo: member.id });
  };
  return (
    <FormDialog
      title={calendar.move}
      submit={calendar.move}
      isOpen
      isPending={isPending}
      isDisabled={isUnknown || !isFree}
      onClose={onClose}
      onSubmit={submit}
    >
      <div>
        <AppointmentFacts appointment={appointment} isNamed />
      </div>
      <MemberSelect member={member} />
      <StartField label={calendar.newStart} of={of} value={value} onChange={setValue} />
    </FormDialog>
  );
}
