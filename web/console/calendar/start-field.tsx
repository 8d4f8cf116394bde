import { fromAbsolute, toCalendarDate, today, type ZonedDateTime } from '@internationalized/date';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { usePlace } from '../api/session.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { useZone } from '../i18n/zone.ts';
import { IconButton } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { DateTimeField } from '../ui/date-field.tsx';
import type { WhyQuery } from '../why/why-queries.ts';
import { startOf } from './day-grid.ts';
import { Refusal } from './refusal.tsx';
import { useFreeSlots, type SlotsOf } from './schedule-queries.ts';
import styles from './start-field.module.css';

interface StartFieldProps {
  readonly label: string;
  readonly of: SlotsOf;
  readonly value: ZonedDateTime;
  readonly onChange: (value: ZonedDateTime) => void;
}

/** A date and a time, with the free times of that day, and the reason against a time that is not free. */
export function StartField({ label, of, value, onChange }: StartFieldProps) {
  const isFree = useIsFree(of, value);
  const start = value.toDate().getTime();
  return (
    <>
      <DateTimeField
        label={label}
        value={value}
        onChange={(next) => next !== null && onChange(next)}
      />
      <FreeTimes of={of} value={value} onChange={onChange} isFree={isFree} />
      <Refusal query={isFree ? null : questionOf(of, start)} day={toCalendarDate(value)} />
    </>
  );
}

/** The free times of the day, and the ways to the days beside it. */
function FreeTimes({
  of,
  value,
  onChange,
  isFree,
}: Omit<StartFieldProps, 'label'> & { readonly isFree: boolean }) {
  const { planner } = useMessages();
  const zone = useZone();
  const format = useFormat();
  const day = toCalendarDate(value);
  const { data: slots, isPending } = useFreeSlots(of, [day]);
  const title = `${planner.freeTimes}, ${format.day(startOf(day, zone))}`;
  return (
    <div className={styles.times}>
      <div className={styles.head}>
        <span className={styles.title}>{title}</span>
        <IconButton
          icon="chevronLeft"
          label={planner.previousDay}
          isSmall
          onPress={() => onChange(value.subtract({ days: 1 }))}
        />
        <IconButton
          icon="chevronRight"
          label={planner.nextDay}
          isSmall
          onPress={() => onChange(value.add({ days: 1 }))}
        />
      </div>
      <ListBox
        aria-label={title}
        layout="grid"
        orientation="horizontal"
        selectionMode="single"
        className={cx(styles.list)}
        selectedKeys={isFree ? [value.toDate().getTime()] : []}
        onSelectionChange={(keys) => {
          const [chosen] = keys === 'all' ? [] : keys;
          if (typeof chosen === 'number') {
            onChange(fromAbsolute(chosen, zone));
          }
        }}
        renderEmptyState={() => (isPending ? '…' : planner.noFreeTimes)}
      >
        {(slots ?? []).map(({ startTime }) => (
          <ListBoxItem
            key={startTime}
            id={startTime}
            textValue={format.time(startTime)}
            className={cx(styles.time)}
          >
            {format.time(startTime)}
          </ListBoxItem>
        ))}
      </ListBox>
    </div>
  );
}

/** Returns whether a start is free, as far as is known. */
export function useIsFree(of: SlotsOf | null, value: ZonedDateTime | undefined): boolean {
  const { timezone } = usePlace().membership;
  const day = value ? toCalendarDate(value) : today(timezone);
  const { data: slots } = useFreeSlots(value ? of : null, [day]);
  const start = value?.toDate().getTime();
  return value !== undefined && (slots?.some(({ startTime }) => startTime === start) ?? true);
}

function questionOf(of: SlotsOf, startMs: number): WhyQuery {
  const start = new Date(startMs).toISOString();
  return of.kind === 'type'
    ? { kind: 'slot', type: of.typeId, start, assignedTo: of.memberId }
    : { kind: 'slot', id: of.appointmentId, start, assignedTo: of.memberId };
}
