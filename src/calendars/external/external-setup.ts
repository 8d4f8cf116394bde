import { isoText } from '#core/schema/columns.ts';
import type { Secrets } from '#core/secrets.ts';
import type { CachedRead, View } from '#core/work.ts';
import {
  externalPlace,
  type StoredExternalCalendar,
} from '../../accounts/team/external-calendar.ts';

/** How the server, or we, detect that a calendar has not changed. */
export interface Validators {
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
  /** The hash of the texts that were read. */
  readonly hash?: string | undefined;
  /** Epoch milliseconds; an unchanged calendar is still read again, because the window moves on. */
  readonly readAt?: number | undefined;
  /** The discovered URL of a CalDAV calendar, if the URL of its server was configured. */
  readonly calendar?: string | undefined;
}

/** A member's external calendar with its credentials and validators. */
export interface ExternalSetup extends StoredExternalCalendar {
  readonly memberId: string;
  readonly password: string | null;
  /** Applies to times without a zone: the zone of the member's first calendar. */
  readonly timezone: string;
  readonly validators: Validators;
}

/** Returns a member's external calendar, or undefined without one. */
export async function readSetup(
  view: View,
  secrets: Secrets,
  memberId: string,
): Promise<ExternalSetup | undefined> {
  const [row] = await view.rows<SetupRow>(SETUP, [view.subAccountId, memberId]);
  if (!row) {
    return undefined;
  }
  const { settings, sealed, timezone, validators } = row;
  const password = sealed && secrets.open(sealed, externalPlace(memberId));
  return { ...settings, memberId, password, timezone, validators: validators ?? {} };
}

interface SetupRow {
  readonly settings: StoredExternalCalendar;
  readonly sealed: Buffer | null;
  readonly timezone: string;
  readonly validators: Validators | null;
}

const SETUP = `select m.external_calendar as settings, m.external_password as sealed, b.validators,
    coalesce((
      select k.timezone from calendar_members c
      join calendars k on k.sub_account_id = c.sub_account_id and k.id = c.calendar_id
      where c.sub_account_id = m.sub_account_id and c.member_id = m.id and k.deleted_at is null
      order by k.position limit 1
    ), s.timezone) as timezone
  from team_members m
  join sub_accounts s on s.id = m.sub_account_id and s.deleted_at is null
  left join external_busy b on b.sub_account_id = m.sub_account_id and b.member_id = m.id
  where m.sub_account_id = $1 and m.id = $2 and m.external_calendar is not null`;

interface ExternalMember {
  readonly id: string;
  readonly type: StoredExternalCalendar['type'];
}

/** Returns the members with an external calendar, from the cache: most sub-accounts have none. */
export const externalMembers = (view: View): Promise<readonly ExternalMember[]> =>
  view.cached(MEMBERS);

const MEMBERS: CachedRead<ExternalMember> = {
  tables: ['team_members'],
  text: `select id, external_calendar ->> 'type' as type from team_members
    where sub_account_id = $1 and external_calendar is not null`,
};

/** The state of a member's external calendar. */
export interface ExternalState {
  readonly member: string;
  readonly type: 'caldav' | 'ics';
  readonly url: string;
  /** When it was last read; null means never. */
  readonly answeredAt: string | null;
  readonly askedAt: string | null;
  readonly failingSince: string | null;
  readonly lastError: string | null;
  /** The number of busy times in the window that is read. */
  readonly busyTimes: number;
}

/** Returns the state of every external calendar of the sub-account. */
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
