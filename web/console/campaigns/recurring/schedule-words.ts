import { useLocale } from 'react-aria-components/I18nProvider';
import { useFormat } from '../../i18n/format.ts';
import { useCampaignMessages } from '../campaign-messages.ts';
import { LAST_DAY, scheduleOf, WEEKDAYS, type Schedule, type Weekday } from './schedule.ts';

/** A Monday. */
const FIRST = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;

/** Returns the function that names a weekday in the user's language. */
export function useWeekdayNames(): (day: Weekday) => string {
  const { locale } = useLocale();
  const names = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
  return (day) => names.format(FIRST + WEEKDAYS.indexOf(day) * DAY_MS);
}

/** Returns the function that says a cron expression in words; unusual ones stay as they are. */
export function useScheduleWords(): (cron: string) => string {
  const { recurring } = useCampaignMessages();
  const { locale } = useLocale();
  const format = useFormat('UTC');
  const nameOf = useWeekdayNames();
  const list = new Intl.ListFormat(locale, { type: 'conjunction' });
  const wordsOf = (schedule: Schedule): string => {
    const time = format.time(Date.UTC(2024, 0, 1, schedule.hour, schedule.minute));
    if (schedule.every === 'day') {
      return recurring.daily(time);
    }
    if (schedule.every === 'week') {
      return recurring.weekly(list.format(schedule.days.map(nameOf)), time);
    }
    return schedule.day === LAST_DAY
      ? recurring.onLastDay(time)
      : recurring.monthly(schedule.day, time);
  };
  return (cron) => {
    const schedule = scheduleOf(cron);
    return schedule ? wordsOf(schedule) : cron;
  };
}
