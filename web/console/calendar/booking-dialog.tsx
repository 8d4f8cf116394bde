import {
  fromAbsolute,
  now,
  toCalendarDate,
  type CalendarDate,
  type ZonedDateTime,
} from '@internationalized/date';
import { useState } from 'react';
import type {
  AppointmentsCreateBody,
  Appointment,
} from '../../../sdk/src/generated/appointments.ts';
import type { AppointmentType } from '../../../sdk/src/generated/calendars.ts';
import { usePlace } from '../api/session.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { EmptyState, useErrorText } from '../ui/states.tsx';
import { showToast } from '../ui/toast.tsx';
import { useBook } from './appointment-queries.ts';
import { CustomerFields, NO_CUSTOMER, type Customer } from './customer-fields.tsx';
import { useAppointmentTypes, useFreeSlots, useSchedule } from './schedule-queries.ts';
import { StartField, useIsFree } from './start-field.tsx';

const MINUTE_MS = 60_000;

interface BookingDialogProps {
  /** The wanted start, in epoch milliseconds, or the day from which the next free time is proposed. */
  readonly start: number | CalendarDate;
  /** The contact to book for, if it is known. */
  readonly contactId?: string;
  readonly onClose: () => void;
}

/** Books an appointment: of a type that is bookable at the wanted start, unless another is chosen. */
export function BookingDialog({ start: wanted, contactId, onClose }: BookingDialogProps) {
  const { planner } = useMessages();
  const { timezone } = usePlace().membership;
  const isDay = typeof wanted !== 'number';
  const { types, proposed } = useProposedType(isDay ? null : wanted);
  const book = useBookWithNotice(onClose);
  const [chosen, setChosen] = useState<AppointmentType>();
  const [chosenStart, setStart] = useState<ZonedDateTime>();
  const [customer, setCustomer] = useState<Customer>(
    contactId === undefined ? NO_CUSTOMER : { kind: 'known', contactId },
  );
  const [notes, setNotes] = useState('');
  const type = chosen ?? proposed;
  const free = useNextFree(isDay ? (type?.id ?? null) : null, isDay ? wanted : null);
  const start = chosenStart ?? (isDay ? free : fromAbsolute(wanted, timezone));
  const isFree = useIsFree(type ? { kind: 'type', typeId: type.id } : null, start);
  const submit = ({ id, duration }: AppointmentType) => {
    if (start === undefined) {
      return;
    }
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
      isDisabled={!isFree}
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
          <WhatAndWhen {...{ types, type, start }} onType={setChosen} onStart={setStart} />
          <CustomerFields value={customer} onChange={setCustomer} />
          <TextField label={planner.notes} rows={2} value={notes} onChange={setNotes} />
        </>
      )}
    </FormDialog>
  );
}

interface WhatAndWhenProps {
  readonly types: readonly AppointmentType[];
  readonly type: AppointmentType;
  /** Undefined while a free time is searched. */
  readonly start: ZonedDateTime | undefined;
  readonly onType: (type: AppointmentType | undefined) => void;
  readonly onStart: (start: ZonedDateTime) => void;
}

function WhatAndWhen({ types, type, start, onType, onStart }: WhatAndWhenProps) {
  const { planner } = useMessages();
  return (
    <>
      <Select
        label={planner.type}
        value={type.id}
        options={types.map(({ id, name, duration }) => ({
          id,
          label: `${name}, ${planner.minutes(duration)}`,
        }))}
        onChange={(id) => onType(types.find((one) => one.id === id))}
      />
      {start === undefined ? (
        <SkeletonRows count={2} />
      ) : (
        <StartField
          label={planner.start}
          of={{ kind: 'type', typeId: type.id }}
          value={start}
          onChange={onStart}
        />
      )}
    </>
  );
}

/** How many days ahead the next free time is searched. */
const SEARCHED_DAYS = 28;

/** Returns the first free time of a type from a day on, else the next full hour; undefined while it loads. */
function useNextFree(typeId: string | null, from: CalendarDate | null): ZonedDateTime | undefined {
  const { timezone } = usePlace().membership;
  const at = now(timezone);
  const first = from ?? toCalendarDate(at);
  const days = [first, first.add({ days: SEARCHED_DAYS })];
  const { data, isError } = useFreeSlots(typeId === null ? null : { kind: 'type', typeId }, days);
  const [slot] = data ?? [];
  if (slot) {
    return fromAbsolute(slot.startTime, timezone);
  }
  const isSettled = data !== undefined || isError;
  return isSettled ? at.add({ hours: 1 }).set({ minute: 0, second: 0, millisecond: 0 }) : undefined;
}

/**
 * Returns the types. A type of a calendar that is open at the wanted moment is proposed; it is not
 * before this is known.
 */
function useProposedType(at: number | null) {
  const { data: types } = useAppointmentTypes();
  const opened = useOpenCalendars(at ?? Date.now());
  const open = at === null ? NO_CALENDARS : opened;
  if (!types || !open) {
    return { types: undefined, proposed: undefined };
  }
  return { types, proposed: types.find(({ calendarId }) => open.has(calendarId)) ?? types[0] };
}

const NO_CALENDARS: ReadonlySet<string> = new Set();

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
