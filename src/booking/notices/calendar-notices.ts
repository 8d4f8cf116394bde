import type { CachedRead, View } from '#core/work.ts';
import type { Confirmation, Reminder } from '../../calendars/calendar-entry.ts';

/** What a calendar wants written to its customers. */
export interface CalendarNotices {
  readonly confirmation: Confirmation | null;
  readonly reminders: readonly Reminder[];
}

/** From memory: a booking asks for them, and most calendars have none. */
export async function noticesOf(view: View, calendarId: string): Promise<CalendarNotices> {
  const found = (await view.cached(NOTICES)).find(({ id }) => id === calendarId);
  return found ?? { confirmation: null, reminders: [] };
}

const NOTICES: CachedRead<CalendarNotices & { readonly id: string }> = {
  tables: ['calendars'],
  text: `select id, confirmation, reminders from calendars
    where sub_account_id = $1 and deleted_at is null`,
};
