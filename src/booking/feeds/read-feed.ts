import type { View } from '#core/work.ts';
import { DAY_MS } from '#lib/duration.ts';
import { APPOINTMENT_EVENT, type AppointmentEvent } from './appointment-event.ts';

const PAST_MS = 31 * DAY_MS;
/** Programs read a feed whole, every few minutes. */
const ENTRIES_MAX = 5_000;

export interface FeedEntry extends AppointmentEvent {
  readonly isConfirmed: boolean;
}

interface Read {
  readonly name: string;
  readonly entries: readonly FeedEntry[];
}

/** What a calendar or a member has before him and had in the last month; what was cancelled is left out. */
export async function readFeed(view: View, ownerId: string): Promise<Read> {
  const { subAccountId, now } = view;
  const [owner] = await view.rows<{ name: string }>(NAME, [subAccountId, ownerId]);
  const since = new Date(now.getTime() - PAST_MS);
  const entries = await view.rows<FeedEntry>(ENTRIES, [subAccountId, ownerId, since]);
  return { name: owner?.name ?? '', entries };
}

const NAME = `select name from calendars where sub_account_id = $1 and id = $2
  union all select name from team_members where sub_account_id = $1 and id = $2`;

const ENTRIES = `select ${APPOINTMENT_EVENT}, a.status <> 'scheduled' as "isConfirmed"
  from appointments a
  left join contacts c on c.sub_account_id = a.sub_account_id and c.id = a.contact_id
    and c.deleted_at is null
  where a.sub_account_id = $1 and a.start_time >= $3 and a.status <> 'cancelled' and (
    a.calendar_id = $2 or a.assigned_to = $2
    or exists (
      select from appointment_blocks b
      where b.sub_account_id = a.sub_account_id and b.appointment_id = a.id and b.member_id = $2
    )
  )
  order by a.start_time, a.id limit ${ENTRIES_MAX}`;
