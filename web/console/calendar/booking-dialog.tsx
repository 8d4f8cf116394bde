import { fromAbsolute, toCalendarDate, type ZonedDateTime } from '@internationalized/date';
import { useState } from 'react';
import type {
  AppointmentsCreateBody,
  Appointment,
} from '../../../sdk/src/generated/appointments.ts';
import type { AppointmentType } from '../../../sdk/src/generated/calendars.ts';
import { usePlace } from '../api/session.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { FormDialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { EmptyState, useErrorText } from '../ui/states.tsx';
import { showToast } from '../ui/toast.tsx';
import { useBook } from './appointment-queries.ts';
import { CustomerFields, NO_CUSTOMER, type Customer } from './customer-fields.tsx';
import { useAppointmentTypes, useSchedule } from './schedule-queries.ts';
import { StartField } from './start-field.tsx';

const MINUTE_MS = 60_000;

interface BookingDialogProps {
  /** The wanted start, in epoch milliseconds. */
  readonly start: number;
  readonly onClose: () => void;
}

/** Books an appointment: of a type that is bookable at the wanted start, unless another is chosen. */
export function BookingDialog({ start: wanted, onClose }: BookingDialogProps) {
  const { planner } = useMessages();
  const { timezone } = usePlace().membership;
  const { types, proposed } = useProposedType(wanted);
  const book = useBookWithNotice(onClose);
  const [chosen, setChosen] = useState<AppointmentType>();
  const [start, setStart] = useState<ZonedDateTime>(() => fromAbsolute(wanted, timezone));
  const [customer, setCustomer] = useState<Customer>(NO_CUSTOMER);
  const [notes, setNotes] = useState('');
  const type = chosen ?? proposed;
  const submit = ({ id, duration }: AppointmentType) => {
    const startTime = start.toDate().getTime();
    book.submit({
      appointmentTypeId: id,
      startTime,
      endTime: startTime + duration * MINUTE_MS,
      ...bodyOf(customer),
      ...(notes.trim() !== '' && { notes: notes.trim() }),
    });
  };
  return (
    <FormDialog
      title={planner.newAppointment}
      submit={planner.book}
      isOpen
      isPending={book.isPending}
      onClose={onClose}
      onSubmit={() => type && submit(type)}
    >
      {types === undefined && <SkeletonRows count={4} />}
      {types && !type && (
        <EmptyState icon="calendar" title={planner.noTypes}>
          {planner.noTypesText}
        </EmptyState>
      )}
      {types && type && (
        <>
          <Select
            label={planner.type}
            value={type.id}
            options={types.map(({ id, name, duration }) => ({
              id,
              label: `${name}, ${planner.minutes(duration)}`,
            }))}
            onChange={(id) => setChosen(types.find((one) => one.id === id))}
          />
          <StartField
            label={planner.start}
            of={{ kind: 'type', typeId: type.id }}
            value={start}
            onChange={setStart}
          />
          <CustomerFields value={customer} onChange={setCustomer} />
          <TextField label={planner.notes} rows={2} value={notes} onChange={setNotes} />
        </>
      )}
    </FormDialog>
  );
}

/** Returns the types once it is known which calendars are open at a moment: a type of these is proposed. */
function useProposedType(at: number) {
  const { data: types } = useAppointmentTypes();
  const open = useOpenCalendars(at);
  if (!types || !open) {
    return { types: undefined, proposed: undefined };
  }
  return { types, proposed: types.find(({ calendarId }) => open.has(calendarId)) ?? types[0] };
}

/** Returns the calendars that are open at a moment. */
function useOpenCalendars(at: number): ReadonlySet<string> | undefined {
  const { timezone } = usePlace().membership;
  const { data } = useSchedule([toCalendarDate(fromAbsolute(at, timezone))]);
  const open = data?.hours.filter(
    ({ startTime, endTime }) => Date.parse(startTime) <= at && at < Date.parse(endTime),
  );
  return open && new Set(open.map(({ calendarId }) => calendarId));
}

function bodyOf(customer: Customer): Partial<AppointmentsCreateBody> {
  if (customer.kind === 'known') {
    return customer.contactId === null ? {} : { contactId: customer.contactId };
  }
  const { firstName, lastName, email, phone } = customer;
  return {
    firstName: firstName.trim(),
    lastName: lastName.trim(),
    ...(email.trim() !== '' && { email: email.trim() }),
    ...(phone.trim() !== '' && { phone: phone.trim() }),
  };
}

/** Books, and says when the appointment is or what went wrong. */
function useBookWithNotice(onClose: () => void) {
  const { planner } = useMessages();
  const { timezone } = usePlace().membership;
  const format = useFormat(timezone);
  const describe = useErrorText();
  const { mutate, isPending } = useBook();
  const submit = (body: AppointmentsCreateBody) =>
    mutate(body, {
      onSuccess({ startTime }: Appointment) {
        showToast({ text: planner.booked, detail: format.dayAndTime(startTime) });
        onClose();
      },
      onError(error) {
        const { title, detail } = describe(error);
        showToast({ text: title, detail, isError: true });
      },
    });
  return { submit, isPending };
}
