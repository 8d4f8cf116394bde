import type { Secrets } from '#core/secrets.ts';
import type { CachedRead, View } from '#core/work.ts';
import {
  externalPlace,
  type StoredExternalCalendar,
} from '../../accounts/team/external-calendar.ts';

/** By which the other side, or we, tell whether anything is new. */
export interface Validators {
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
  /** Of what was read. */
  readonly hash?: string | undefined;
  /** Epoch milliseconds: what is busy in a year was not asked for a year ago. */
  readonly readAt?: number | undefined;
  /** By CalDAV the address of the calendar itself, where that of its server was given. */
  readonly calendar?: string | undefined;
}

/** A member's external calendar, and what is known of it. */
export interface ExternalSetup extends StoredExternalCalendar {
  readonly memberId: string;
  readonly password: string | null;
  /** For times that name no zone: that of his first calendar. */
  readonly timezone: string;
  readonly validators: Validators;
}

export async function readSetup(
  view: View,
  secrets: Secrets,
  memberId: string,
): Promise<ExternalSetup | undefined> {
  const [row] = await view.rows<Row>(SETUP, [view.subAccountId, memberId]);
  if (!row) {
    return undefined;
  }
  const { settings, sealed, timezone, validators } = row;
  const password = sealed && secrets.open(sealed, externalPlace(memberId));
  return { ...settings, memberId, password, timezone, validators: validators ?? {} };
}

interface Row {
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

/** Whoever keeps a calendar elsewhere, from memory: of most sub-accounts nobody does. */
export const externalMembers = (view: View): Promise<readonly ExternalMember[]> =>
  view.cached(MEMBERS);

const MEMBERS: CachedRead<ExternalMember> = {
  tables: ['team_members'],
  text: `select id, external_calendar ->> 'type' as type from team_members
    where sub_account_id = $1 and external_calendar is not null`,
};
