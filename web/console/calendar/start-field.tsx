import { fromAbsolute, toCalendarDate, today, type ZonedDateTime } from '@internationalized/date';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { usePlace } from '../api/session.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { cx } from '../ui/cx.ts';
import { DateTimeField } from '../ui/date-field.tsx';
import { useWhy, type WhyQuery } from '../why/why-queries.ts';
import { startOf } from './day-grid.ts';
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
  const { planner } = useMessages();
  const { timezone } = usePlace().membership;
  const format = useFormat(timezone);
  const day = toCalendarDate(value);
  const start = value.toDate().getTime();
  const { data: slots, isPending } = useFreeSlots(of, [day]);
  const isFree = useIsFree(of, value);
  const title = `${planner.freeTimes}, ${format.day(startOf(day, timezone))}`;
  return (
    <>
      <DateTimeField
        label={label}
        value={value}
        onChange={(next) => next !== null && onChange(next)}
      />
      <div className={styles.times}>
        <span className={styles.title}>{title}</span>
        <ListBox
          aria-label={title}
          layout="grid"
          orientation="horizontal"
          selectionMode="single"
          className={cx(styles.list)}
          selectedKeys={isFree ? [start] : []}
          onSelectionChange={(keys) => {
            const [chosen] = keys === 'all' ? [] : keys;
            if (typeof chosen === 'number') {
              onChange(fromAbsolute(chosen, timezone));
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
      <Refusal query={isFree ? null : questionOf(of, start)} />
    </>
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
    ? { kind: 'slot', type: of.typeId, start }
    : { kind: 'slot', id: of.appointmentId, start };
}

/** Says in words why a start is refused. */
function Refusal({ query }: { readonly query: WhyQuery | null }) {
  const { planner } = useMessages();
  const { data } = useWhy(query);
  return (
    <div role="status">
      {query !== null && data?.happened === false && (
        <p className={styles.refusal}>
          <strong>{planner.refused}</strong>{' '}
          {/* The server explains in English, in every language of the console. */}
          <span lang="en">{data.reasons.map(({ sentence }) => sentence).join(' ')}</span>
        </p>
      )}
    </div>
  );
}
