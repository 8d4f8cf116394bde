import { Time } from '@internationalized/date';
import { useState } from 'react';
import { CheckboxGroup } from 'react-aria-components/CheckboxGroup';
import { Label } from 'react-aria-components/Label';
import { TimeField } from '../../ui/date-field.tsx';
import { TextField } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { Checkbox } from '../../ui/switch.tsx';
import { useCampaignMessages } from '../campaign-messages.ts';
import {
  cronOf,
  DAYS_MAX,
  LAST_DAY,
  scheduleOf,
  WEEKDAYS,
  type Schedule,
  type Weekday,
} from './schedule.ts';
import { useScheduleWords, useWeekdayNames } from './schedule-words.ts';
import styles from './recurring.module.css';

/** Days that some months do not have. */
const SHORTEST_MONTH = 28;
const KINDS = ['month', 'week', 'day', 'cron'] as const;
type Kind = (typeof KINDS)[number];

interface ScheduleFieldProps {
  /** A cron expression. */
  readonly value: string;
  readonly onChange: (cron: string) => void;
  readonly timezone: string;
  readonly error: string | undefined;
}

/** When a campaign recurs: by month, week or day, or as a cron expression. */
export function ScheduleField({ value, onChange, timezone, error }: ScheduleFieldProps) {
  const { recurring } = useCampaignMessages();
  const wordsOf = useScheduleWords();
  const schedule = scheduleOf(value);
  const [isText, setText] = useState(schedule === undefined);
  const shown = isText ? undefined : schedule;
  const choose = (kind: Kind) => {
    setText(kind === 'cron');
    if (kind !== 'cron') {
      onChange(cronOf(scheduleAs(kind, schedule)));
    }
  };
  return (
    <>
      <div className={styles.schedule}>
        <Select
          label={recurring.repeats}
          value={shown?.every ?? 'cron'}
          options={KINDS.map((id) => ({ id, label: recurring.kinds[id] }))}
          onChange={choose}
        />
        {shown && <ScheduleParts schedule={shown} onChange={(next) => onChange(cronOf(next))} />}
      </div>
      {shown === undefined && (
        <TextField
          label={recurring.kinds.cron}
          description={recurring.cronHint}
          value={value}
          onChange={onChange}
          error={error}
          isRequired
        />
      )}
      <p className={styles.words}>
        {recurring.runs(wordsOf(value), timezone)}
        {shown?.every === 'month' && Number(shown.day) > SHORTEST_MONTH && ` ${recurring.skipped}`}
      </p>
    </>
  );
}

/** Returns a schedule of another kind at the same time. */
function scheduleAs(every: Exclude<Kind, 'cron'>, from: Schedule | undefined): Schedule {
  const time = { hour: from?.hour ?? 9, minute: from?.minute ?? 0 };
  if (every === 'month') {
    return { ...time, every, day: 1 };
  }
  return every === 'week' ? { ...time, every, days: ['MON'] } : { ...time, every };
}

interface ScheduleProps {
  readonly schedule: Schedule;
  readonly onChange: (schedule: Schedule) => void;
}

function ScheduleParts({ schedule, onChange }: ScheduleProps) {
  const { recurring } = useCampaignMessages();
  const days = [...Array.from({ length: DAYS_MAX }, (_, index) => String(index + 1)), LAST_DAY];
  return (
    <>
      {schedule.every === 'month' && (
        <Select
          label={recurring.day}
          value={String(schedule.day)}
          options={days.map((id) => ({
            id,
            label: id === LAST_DAY ? recurring.lastDay : recurring.dayOfMonth(Number(id)),
          }))}
          onChange={(day) =>
            onChange({ ...schedule, day: day === LAST_DAY ? LAST_DAY : Number(day) })
          }
        />
      )}
      {schedule.every === 'week' && (
        <Weekdays
          days={schedule.days}
          onChange={(chosen) => chosen.length > 0 && onChange({ ...schedule, days: chosen })}
        />
      )}
      <TimeField
        label={recurring.time}
        value={new Time(schedule.hour, schedule.minute)}
        onChange={(time) => time && onChange({ ...schedule, hour: time.hour, minute: time.minute })}
      />
    </>
  );
}

interface WeekdaysProps {
  readonly days: readonly Weekday[];
  readonly onChange: (days: readonly Weekday[]) => void;
}

/** At least one day stays chosen. */
function Weekdays({ days, onChange }: WeekdaysProps) {
  const { recurring } = useCampaignMessages();
  const nameOf = useWeekdayNames();
  return (
    <CheckboxGroup
      className={styles.weekdays ?? ''}
      value={[...days]}
      onChange={(chosen) => onChange(WEEKDAYS.filter((day) => chosen.includes(day)))}
    >
      <Label className={styles.label ?? ''}>{recurring.weekdays}</Label>
      <div className={styles.boxes}>
        {WEEKDAYS.map((day) => (
          <Checkbox key={day} value={day}>
            {nameOf(day)}
          </Checkbox>
        ))}
      </div>
    </CheckboxGroup>
  );
}
