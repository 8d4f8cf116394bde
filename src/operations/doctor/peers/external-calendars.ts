import { counted } from '#lib/counted.ts';
import { ok, warn, type Check } from '../check.ts';

/** Checks whether the external calendars of team members can be read. */
export const externalCalendars: Check = {
  name: 'external calendars',
  async examine({ rows }) {
    const members = await rows<Member>(MEMBERS);
    const failing = members.filter(({ since }) => since !== null);
    return failing.length > 0
      ? warn(
          `${failing.length} of ${members.length} cannot be read: ${failing.map(described).join('; ')}`,
          'fix the address or the password in the manifest (team: externalCalendar), or the event in the calendar; until then, the last known busy times apply, or those of the other events',
        )
      : ok(members.length === 0 ? 'none in use' : `${counted(members.length, 'calendar')} in use`);
  },
};

const described = ({ name, subAccount, since, error }: Member): string =>
  `${name} (${subAccount}) since ${since?.toISOString()}: ${error ?? 'no reason was recorded'}`;

interface Member {
  readonly name: string;
  readonly subAccount: string;
  readonly since: Date | null;
  readonly error: string | null;
}

const MEMBERS = `
  select m.name, s.name as "subAccount", e.failing_since as since, e.last_error as error
  from team_members m
  join sub_accounts s on s.id = m.sub_account_id and s.deleted_at is null
  left join external_busy e on e.sub_account_id = m.sub_account_id and e.member_id = m.id
  where m.external_calendar is not null
  order by e.failing_since nulls last, m.id`;
