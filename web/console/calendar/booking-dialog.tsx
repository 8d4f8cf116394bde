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
import { useTeam } from '../inbox/conversation-queries.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { EmptyState, useErrorText } from '../ui/states.tsx';
import { showToast } from '../ui/toast.tsx';
import { useBook } from './appointment-queries.ts';
import { CustomerFields, NO_CUSTOMER, type Customer } from './customer-fields.tsx';
import { MemberSelect, useChosenMember, type ChosenMember } from './member-select.tsx';
import {
  useAppointmentTypes,
  useFreeSlots,
  useSchedule,
  type SlotsOf,
} from './schedule-queries.ts';
import { StartField, useIsFree } from './start-field.tsx';

const MINUTE_MS = 60_000;

interface BookingDialogProps {
  /** The wanted start, in epoch milliseconds, or the day from which the next free time is proposed. */
  readonly start: number | CalendarDate;
  /** The member who is to take it, if the type leaves a choice. */
  readonly memberId?: string | null;
  /** The contact to book for, if it is known. */
  readonly contactId?: string;
  readonly onClose: () => void;
}

/** Books an appointment: of a type that is bookable at the wanted start, unless another is chosen. */
export function BookingDialog(props: BookingDialogProps) {
  const { start: wanted, memberId: wantedMember = null, contactId, onClose } = props;
  const { planner } = useMessages();
  const choice = useChoice(wanted, wantedMember);
  const { types, type, of, member, start } = choice;
  const book = useBookWithNotice(onClose);
  const [customer, setCustomer] = useState<Customer>(
    contactId === undefined ? NO_CUSTOMER : { kind: 'known', contactId },
  );
  const [notes, setNotes] = useState('');
  const submit = ({ id, duration }: AppointmentType) => {
    if (start === undefined) {
      return;
    }
    const startTime = start.toDate().getTime();
    book.submit({
      appointmentTypeId: id,
      startTime,
      endTime: startTime + duration * MINUTE_MS,
      assignedTo: member.id,
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
      isDisabled={!choice.isFree}
      onClose={onClose}
      onSubmit={() => type && submit(type)}
    >
      {types === undefined && <SkeletonRows count={4} />}
      {types && !type && (
        <EmptyState icon="calendar" title={planner.noTypes}>
          {planner.noTypesText}
        </EmptyState>
      )}
      {types && type && of && (
        <>
          <WhatAndWhen {...choice} {...{ types, type, of }} />
          <CustomerFields value={customer} onChange={setCustomer} />
          <TextField label={planner.notes} rows={2} value={notes} onChange={setNotes} />
        </>
      )}
    </FormDialog>
  );
}

/** What is to be booked, with which member and when, as proposed or chosen. */
function useChoice(wanted: number | CalendarDate, wantedMember: string | null) {
  const { timezone } = usePlace().membership;
  const isDay = typeof wanted !== 'number';
  const { types, proposed } = useProposedType(isDay ? null : wanted, wantedMember);
  const [chosen, onType] = useState<AppointmentType>();
  const [chosenStart, onStart] = useState<ZonedDateTime>();
  const type = chosen ?? proposed;
  const member = useChosenMember(type, wantedMember);
  const of = type ? ({ kind: 'type', typeId: type.id, memberId: member.id } as const) : null;
  const free = useNextFree(isDay ? of : null, isDay ? wanted : null);
  const start = chosenStart ?? (isDay ? free : fromAbsolute(wanted, timezone));
  return {
    /** Undefined while they are loaded. */
    types,
    type,
    of,
    member,
    start,
    isFree: useIsFree(of, start),
    onType,
    onStart,
  };
}

interface WhatAndWhenProps {
  readonly types: readonly AppointmentType[];
  readonly type: AppointmentType;
  readonly member: ChosenMember;
  readonly of: SlotsOf;
  /** Undefined while a free time is searched. */
  readonly start: ZonedDateTime | undefined;
  readonly onType: (type: AppointmentType | undefined) => void;
  readonly onStart: (start: ZonedDateTime) => void;
}

function WhatAndWhen({ types, type, member, of, start, onType, onStart }: WhatAndWhenProps) {
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
      <MemberSelect member={member} />
      {start === undefined ? (
        <SkeletonRows count={2} />
      ) : (
        <StartField label={planner.start} of={of} value={start} onChange={onStart} />
      )}
    </>
  );
}

/** How many days ahead the next free time is searched. */
const SEARCHED_DAYS = 28;

/** Returns the first free time of a type from a day on, else the next full hour; undefined while it loads. */
function useNextFree(of: SlotsOf | null, from: CalendarDate | null): ZonedDateTime | undefined {
  const { timezone } = usePlace().membership;
  const at = now(timezone);
  const first = from ?? toCalendarDate(at);
  const days = [first, first.add({ days: SEARCHED_DAYS })];
  const { data, isError } = useFreeSlots(of, days);
  const [slot] = data ?? [];
  if (slot) {
    return fromAbsolute(slot.startTime, timezone);
  }
  const isSettled = data !== undefined || isError;
  return isSettled ? at.add({ hours: 1 }).set({ minute: 0, second: 0, millisecond: 0 }) : undefined;
}

/**
 * Returns the types. A type of a calendar that is open at the wanted moment, with the wanted member, is
 * proposed; it is not before this is known.
 */
function useProposedType(at: number | null, memberId: string | null) {
  const { data: types } = useAppointmentTypes();
  const opened = useOpenCalendars(at ?? Date.now(), memberId);
  const open = at === null ? NO_CALENDARS : opened;
  if (!types || !open) {
    return { types: undefined, proposed: undefined };
  }
  return { types, proposed: types.find(({ calendarId }) => open.has(calendarId)) ?? types[0] };
}

const NO_CALENDARS: ReadonlySet<string> = new Set();

/** Returns the calendars that are open at a moment, with the member if one is wanted. */
function useOpenCalendars(at: number, member: string | null): ReadonlySet<string> | undefined {
  const { timezone } = usePlace().membership;
  const { data } = useSchedule([toCalendarDate(fromAbsolute(at, timezone))]);
  const open = data?.hours.filter(
    ({ startTime, endTime, memberIds }) =>
      Date.parse(startTime) <= at &&
      at < Date.parse(endTime) &&
      (member === null || memberIds.includes(member)),
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

/** Books, and says when the appointment is and with which member, or what went wrong. */
function useBookWithNotice(onClose: () => void) {
  const { planner } = useMessages();
  const { timezone } = usePlace().membership;
  const format = useFormat(timezone);
  const describe = useErrorText();
  const { data: team = [] } = useTeam();
  const { mutate, isPending } = useBook();
  const submit = (body: AppointmentsCreateBody) =>
    mutate(body, {
      onSuccess({ startTime, assignedTo }: Appointment) {
        const member = team.find(({ id }) => id === assignedTo)?.name;
        const detail = planner.bookedFor(format.dayAndTime(startTime), member);
        showToast({ text: planner.booked, detail });
        onClose();
      },
      onError(error) {
        const { title, detail } = describe(error);
        showToast({ text: title, detail, isError: true });
      },
    });
  return { submit, isPending };
}
