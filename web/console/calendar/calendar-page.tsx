import { parseDate, toCalendarDate, today, type CalendarDate } from '@internationalized/date';
import { useState } from 'react';
import { useLocale } from 'react-aria-components/I18nProvider';
import { useSearchParams } from 'wouter';
import type { Appointment } from '../../../sdk/src/generated/appointments.ts';
import { usePlace } from '../api/session.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { useTeam } from '../inbox/conversation-queries.ts';
import { Page } from '../shell/page.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { ErrorState } from '../ui/states.tsx';
import { AppointmentDialog } from './appointment-dialog.tsx';
import { useAppointments } from './appointment-queries.ts';
import { endOf, startOf } from './day-grid.ts';
import { AgendaList } from './agenda-list.tsx';
import { MonthGrid } from './month-grid.tsx';
import { CALENDAR_VIEWS, dateAfter, daysShown, type CalendarView } from './shown-days.ts';
import { TimeGrid, type GridColumn } from './time-grid.tsx';

function dateIn(text: string | null): CalendarDate | undefined {
  try {
    return text === null ? undefined : parseDate(text);
  } catch {
    return undefined;
  }
}

/** The day and the view, as the address holds them. */
function useShownDays() {
  const { timezone } = usePlace().membership;
  const { locale } = useLocale();
  const [params, setParams] = useSearchParams();
  const view = CALENDAR_VIEWS.find((one) => one === params.get('view')) ?? 'week';
  const date = dateIn(params.get('date')) ?? toCalendarDate(today(timezone));
  const show = (next: CalendarDate, as: CalendarView = view) =>
    setParams({ view: as, date: next.toString() }, { replace: true });
  return {
    view,
    days: daysShown(view, date, locale),
    choose: (as: CalendarView) => show(date, as),
    showDay: (day: CalendarDate) => show(day, 'day'),
    move: (count: number) => show(dateAfter(view, date, count)),
    toToday: () => show(toCalendarDate(today(timezone))),
  };
}

/** The appointments of a day, by member, of a week or a month, or as a list. */
export function CalendarPage() {
  const { agenda, calendar } = useMessages();
  const names = { ...calendar, ...agenda };
  const { timezone } = usePlace().membership;
  const format = useFormat(timezone);
  const shown = useShownDays();
  const { days, view } = shown;
  const first = days[0] ?? toCalendarDate(today(timezone));
  const last = days.at(-1) ?? first;
  const query = useAppointments(startOf(first, timezone), endOf(last, timezone));
  const [open, setOpen] = useState<Appointment>();
  const columns = useColumns(view, days, query.data ?? []);
  const text = (day: CalendarDate) => format.day(startOf(day, timezone));
  return (
    <Page
      title={calendar.title}
      hint={timezone}
      filters={
        <>
          <span aria-live="polite">
            {view === 'day' ? text(first) : `${text(first)} – ${text(last)}`}
          </span>
          <Button onPress={shown.toToday}>{calendar.today}</Button>
          <IconButton icon="back" label={calendar.previous} onPress={() => shown.move(-1)} />
          <IconButton icon="chevronRight" label={calendar.next} onPress={() => shown.move(1)} />
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
        </>
      }
    >
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {view === 'agenda' ? (
        <AgendaList days={days} appointments={query.data ?? []} onOpen={setOpen} />
      ) : view === 'month' ? (
        <MonthGrid
          days={days}
          appointments={query.data ?? []}
          onOpen={setOpen}
          onDay={shown.showDay}
        />
      ) : (
        <TimeGrid key={view} columns={columns} days={days} onOpen={setOpen} />
      )}
      {open && <AppointmentDialog appointment={open} onClose={() => setOpen(undefined)} />}
    </Page>
  );
}

const UNASSIGNED = 'unassigned';

/** A column per day of the week, or per member on a day. */
function useColumns(
  view: CalendarView,
  days: readonly CalendarDate[],
  appointments: readonly Appointment[],
): readonly GridColumn[] {
  const { thread } = useMessages();
  const { timezone } = usePlace().membership;
  const format = useFormat(timezone);
  const { data: team = [] } = useTeam();
  const [day] = days;
  if (view !== 'day' || day === undefined) {
    return days.map((one) => ({
      id: one.toString(),
      title: format.day(startOf(one, timezone)),
      day: one,
      appointments,
    }));
  }
  const isKnown = (id: string | null) => team.some((member) => member.id === id);
  const others = appointments.filter(({ assignedTo }) => !isKnown(assignedTo));
  return [
    ...team.map(({ id, name }) => ({
      id,
      title: name,
      day,
      appointments: appointments.filter(({ assignedTo }) => assignedTo === id),
    })),
    ...(others.length > 0 || team.length === 0
      ? [{ id: UNASSIGNED, title: thread.unassigned, day, appointments: others }]
      : []),
  ];
}
