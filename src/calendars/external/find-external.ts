import { isoText } from '#core/schema/columns.ts';
import type { View } from '#core/work.ts';

/** How a member's external calendar is doing. */
export interface ExternalState {
  readonly member: string;
  readonly type: 'caldav' | 'ics';
  readonly url: string;
  /** When it last told anything; until then nothing is known. */
  readonly answeredAt: string | null;
  readonly askedAt: string | null;
  readonly failingSince: string | null;
  readonly lastError: string | null;
  /** How many times of the coming year it says are taken. */
  readonly busyTimes: number;
}

/** Of everybody in the view's sub-account who keeps one. */
export const findExternal = (view: View): Promise<ExternalState[]> =>
  view.rows(STATES, [view.subAccountId]);

const STATES = `select m.key as member, m.external_calendar ->> 'type' as type,
    m.external_calendar ->> 'url' as url, ${isoText('b.answered_at')} as "answeredAt",
    ${isoText('b.asked_at')} as "askedAt", ${isoText('b.failing_since')} as "failingSince",
    b.last_error as "lastError",
    coalesce((select count(*)::int from unnest(b.busy)), 0) as "busyTimes"
  from team_members m
  left join external_busy b on b.sub_account_id = m.sub_account_id and b.member_id = m.id
  where m.sub_account_id = $1 and m.external_calendar is not null
  order by m.id`;
