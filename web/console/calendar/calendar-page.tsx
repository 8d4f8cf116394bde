import {
  isToday,
  parseAbsolute,
  parseDate,
  toCalendarDate,
  today,
  type CalendarDate,
} from '@internationalized/date';
import { useState } from 'react';
import { useLocale } from 'react-aria-components/I18nProvider';
import { useSearchParams } from 'wouter';
import type { Appointment } from '../../../sdk/src/generated/appointments.ts';
import { usePlace } from '../api/session.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { useTeam } from '../inbox/conversation-queries.ts';
import { Page } from '../shell/page.tsx';
import { useCreating } from '../shell/use-creating.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Select } from '../ui/select.tsx';
import { ErrorState } from '../ui/states.tsx';
import { AppointmentDialog } from './appointment-dialog.tsx';
import { useAppointment, useAppointments } from './appointment-queries.ts';
import { endOf, startOf } from './day-grid.ts';
import type { PickedSlot } from './grid-column.ts';
import { AgendaList } from './agenda-list.tsx';
import { MonthGrid } from './month-grid.tsx';
import { CALENDAR_VIEWS, dateAfter, daysShown, monthOf, type CalendarView } from './shown-days.ts';
import { BookingDialog } from './booking-dialog.tsx';
import { Planner } from './planner.tsx';
import { WaitingButton } from './waiting-list.tsx';
import styles from './calendar.module.css';

function dateIn(text: string | null): CalendarDate | undefined {
  try {
    return text === null ? undefined : parseDate(text);
  } catch {
    return undefined;
  }
}

/** The day, the view and the member, as the address holds them. */
function useShownDays() {
  const { timezone } = usePlace().membership;
  const { locale } = useLocale();
  const [params, setParams] = useSearchParams();
  const linked = useAppointment(params.get('appointment')).data;
  const linkedDay = linked && toCalendarDate(parseAbsolute(linked.startTime, timezone));
  const view = CALENDAR_VIEWS.find((one) => one === params.get('view')) ?? defaultView();
  const date = dateIn(params.get('date')) ?? linkedDay ?? toCalendarDate(today(timezone));
  const member = params.get('member');
  const show = (next: CalendarDate, as: CalendarView = view, whose: string | null = member) =>
    setParams(
      { view: as, date: next.toString(), ...(whose !== null && { member: whose }) },
      { replace: true },
    );
  const days = daysShown(view, date, locale);
  return {
    view,
    days,
    first: days[0] ?? date,
    last: days.at(-1) ?? date,
    member,
    timezone,
    linked,
    closeLinked: () => show(date),
    // The list begins at today if it is shown, otherwise with the week that is.
    choose: (as: CalendarView) =>
      show(
        as === 'agenda' && view === 'week'
          ? (days.find((day) => isToday(day, timezone)) ?? days[0] ?? date)
          : date,
        as,
      ),
    chooseMember: (id: string | null) =>
      setParams(
        { view, date: date.toString(), ...(id !== null && { member: id }) },
        { replace: true },
      ),
    showDay: (day: CalendarDate) => show(day, 'day'),
    move: (count: number) => show(dateAfter(view, date, count)),
    toToday: () => show(toCalendarDate(today(timezone))),
  };
}

type ShownDays = ReturnType<typeof useShownDays>;

/** The appointments of a day, by member, of a week or a month, or as a list. */
export function CalendarPage() {
  const { calendar, planner } = useMessages();
  const { timezone, role } = usePlace().membership;
  const shown = useShownDays();
  const { days, view, first, last } = shown;
  const query = useAppointments(startOf(first, timezone), endOf(last, timezone));
  // Appointments of other days stand in for those that are loaded.
  const isLoading = query.isPending || query.isPlaceholderData;
  const [open, setOpen] = useState<Appointment>();
  const creating = useCreating();
  const [picked, setPicked] = useState<PickedSlot>();
  const appointments = (query.data ?? []).filter(
    ({ assignedTo }) => shown.member === null || assignedTo === shown.member,
  );
  const canBook = role !== 'viewer';
  return (
    <Page
      title={calendar.title}
      hint={timezone}
      hidesZone
      actions={
        <>
          <WaitingButton />
          {canBook && (
            <Button look="primary" icon="plus" onPress={creating.begin}>
              {planner.newAppointment}
            </Button>
          )}
        </>
      }
      filters={<Filters shown={shown} />}
    >
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {view === 'agenda' ? (
        !query.isLoadingError && (
          <AgendaList {...{ days, appointments, isLoading }} onOpen={setOpen} />
        )
      ) : view === 'month' ? (
        <MonthGrid {...{ days, appointments, isLoading }} onOpen={setOpen} onDay={shown.showDay} />
      ) : (
        <Planner
          key={view}
          view={view}
          {...{ days, appointments, isLoading }}
          member={shown.member}
          onOpen={setOpen}
          onPick={canBook ? setPicked : undefined}
        />
      )}
      {shown.linked && <AppointmentDialog appointment={shown.linked} onClose={shown.closeLinked} />}
      {open && <AppointmentDialog appointment={open} onClose={() => setOpen(undefined)} />}
      {picked && <BookingDialog {...picked} onClose={() => setPicked(undefined)} />}
      {creating.isCreating && <BookingDialog {...proposedIn(shown)} onClose={creating.end} />}
    </Page>
  );
}

/** The shown day, or today if it has passed, and the shown member. */
function proposedIn({ first, member, timezone }: ShownDays) {
  const current = toCalendarDate(today(timezone));
  return { start: first.compare(current) > 0 ? first : current, memberId: member };
}

/** A whole week does not fit on a phone. */
const defaultView = (): CalendarView =>
  matchMedia('(max-width: 45rem)').matches ? 'agenda' : 'week';

const ALL = 'all';

function Filters({ shown }: { readonly shown: ShownDays }) {
  const { agenda, calendar, planner } = useMessages();
  const { timezone } = usePlace().membership;
  const format = useFormat(timezone);
  const { data: team = [] } = useTeam();
  const { view, days, first, last } = shown;
  const names = { ...calendar, ...agenda };
  const text = (day: CalendarDate) => format.day(startOf(day, timezone));
  const period = {
    day: text(first),
    week: `${text(first)} – ${text(last)}`,
    month: format.month(startOf(monthOf(days) ?? first, timezone)),
    agenda: `${text(first)} – ${text(last)}`,
  };
  return (
    <>
      <span aria-live="polite" className={styles.period}>
        {period[view]}
      </span>
      <Button onPress={shown.toToday}>{calendar.today}</Button>
      <IconButton icon="chevronLeft" label={calendar.previous} onPress={() => shown.move(-1)} />
      <IconButton icon="chevronRight" label={calendar.next} onPress={() => shown.move(1)} />
      <div className={styles.views}>
        {CALENDAR_VIEWS.map((one) => (
          <Button
            key={one}
            look={view === one ? 'primary' : 'secondary'}
            aria-pressed={view === one}
            onPress={() => shown.choose(one)}
          >
            {names[one]}
          </Button>
        ))}
      </div>
      {team.length > 1 && (
        <Select
          label={planner.member}
          isLabelHidden
          value={shown.member ?? ALL}
          options={[
            { id: ALL, label: planner.allMembers },
            ...team.map(({ id, name }) => ({ id, label: name })),
          ]}
          onChange={(id) => shown.chooseMember(id === ALL ? null : id)}
        />
      )}
    </>
  );
}
