import { counted } from '#lib/counted.ts';
import { fail, ok, warn, type Check } from './check.ts';

/**
 * Fails for overlapping appointments of a team member, which only a manual change of the database can
 * cause. Warns about appointments that overlap with the member's external calendar.
 */
export const calendars: Check = {
  name: 'calendars',
  async examine({ rows }) {
    const overlaps = await rows<Overlap>(OVERLAPS);
    if (overlaps.length > 0) {
      const [{ one, other }] = overlaps as [Overlap];
      return fail(
        `${pairs(overlaps.length)} overlap, such as ${one} and ${other}`,
        'move or cancel one of each pair, and check that the constraint appointment_blocks_overlap exists: frontdesk migrate --check',
      );
    }
    const taken = await rows<{ id: string }>(TAKEN_ELSEWHERE);
    return taken.length > 0
      ? warn(
          `${appointments(taken.length)} overlap with the external calendar of the team member, such as ${taken[0]?.id}`,
          'move them, or move the events in the external calendar',
        )
      : ok('no appointments overlap');
  },
};

const SHOWN = 100;

const orMore = (count: number) => (count === SHOWN ? ' or more' : '');
const pairs = (count: number) => `${counted(count, 'pair')}${orMore(count)} of appointments`;
const appointments = (count: number) => `${counted(count, 'appointment')}${orMore(count)}`;

interface Overlap {
  readonly one: string;
  readonly other: string;
}

const OVERLAPS = `
  select a.appointment_id as one, b.appointment_id as other
  from appointment_blocks a
  join appointment_blocks b on b.sub_account_id = a.sub_account_id and b.member_id = a.member_id
    and b.block && a.block and b.slot_id <> a.slot_id and b.appointment_id > a.appointment_id
  where upper(a.block) > now() and upper(b.block) > now()
  limit ${SHOWN}`;

const TAKEN_ELSEWHERE = `
  select b.appointment_id as id
  from external_busy e
  join appointment_blocks b on b.sub_account_id = e.sub_account_id and b.member_id = e.member_id
    and b.block && e.busy
  where lower(b.block) > now()
  limit ${SHOWN}`;
