import { ok, warn, type Check } from './check.ts';

export const externalCalendars: Check = {
  name: 'external calendars',
  async examine({ rows }) {
    const members = await rows<Member>(MEMBERS);
    const failing = members.filter(({ since }) => since !== null);
    const [first] = failing;
    return first
      ? warn(
          `${failing.length} of ${members.length} cannot be asked; that of ${first.name} since ${first.since?.toISOString()}: ${first.error}`,
          'mend its address or password in the manifest (team: externalCalendar); until then what it said last holds',
        )
      : ok(`${members.length} in use`);
  },
};

interface Member {
  readonly name: string;
  readonly since: Date | null;
  readonly error: string | null;
}

const MEMBERS = `
  select m.name, e.failing_since as since, e.last_error as error
  from team_members m
  join sub_accounts s on s.id = m.sub_account_id and s.deleted_at is null
  left join external_busy e on e.sub_account_id = m.sub_account_id and e.member_id = m.id
  where m.external_calendar is not null
  order by e.failing_since nulls last`;
