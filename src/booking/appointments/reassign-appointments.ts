import { Fault } from '#core/fault.ts';
import type { Occurrence } from '#core/event.ts';
import type { Work } from '#core/work.ts';
import { lockBookings } from '../../calendars/lock-bookings.ts';
import { appointmentReassigned } from './appointment.events.ts';

interface MemberRemoval {
  readonly memberId: string;
  readonly memberKey: string;
  /** The member who takes over; null if none was named. */
  readonly reassignTo: string | null;
}

interface Upcoming {
  readonly id: string;
  readonly title: string;
  readonly start: Date;
  /** Whether the new assignee is busy at the time. */
  readonly conflicts: boolean;
}

/** A refusal names this many appointments and counts the rest. */
const NAMED_MAX = 10;

/**
 * Gives the upcoming appointments of a removed member to another member, at the same times. Throws a
 * Fault if no member was named, or if the new assignee is busy at one of the times. Their working
 * hours are not checked: naming the assignee overrides them.
 */
export async function reassignAppointments(
  work: Work,
  { data: { memberId, memberKey, reassignTo } }: Occurrence<MemberRemoval>,
): Promise<void> {
  const { subAccountId, now } = work;
  await lockBookings(work);
  const upcoming = await work.rows<Upcoming>(UPCOMING, [subAccountId, memberId, now, reassignTo]);
  if (upcoming.length === 0) {
    return;
  }
  if (reassignTo === null) {
    throw refusal(
      `member ${memberKey} still has ${counted(upcoming)}: ${named(upcoming)}; name a new assignee with --reassign, or move or cancel them first`,
    );
  }
  const conflicting = upcoming.filter(({ conflicts }) => conflicts);
  if (conflicting.length > 0) {
    throw refusal(
      `the new assignee is busy during ${counted(conflicting)} of member ${memberKey}: ${named(conflicting)}; move or cancel them first, or name another member with --reassign`,
    );
  }
  const ids = upcoming.map(({ id }) => id);
  await work.rows(DROP_SHARED_BLOCKS, [subAccountId, memberId, ids, reassignTo]);
  await work.rows(MOVE_BLOCKS, [subAccountId, memberId, ids, reassignTo]);
  await work.rows(REASSIGN, [subAccountId, memberId, ids, reassignTo, now]);
  for (const appointmentId of ids) {
    await work.emit(appointmentReassigned, { contactId: null, data: { appointmentId } });
  }
}

const refusal = (message: string): Fault =>
  new Fault('VALIDATION_ERROR', `${message}; nothing was changed`);

const counted = ({ length }: readonly Upcoming[]): string =>
  `${length} upcoming ${length === 1 ? 'appointment' : 'appointments'}`;

function named(appointments: readonly Upcoming[]): string {
  const first = appointments
    .slice(0, NAMED_MAX)
    .map(({ id, title, start }) => `${title} at ${start.toISOString()} (${id})`);
  const more = appointments.length - first.length;
  return [...first, ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}

/** A member of a collective appointment has a block without being its assignee. */
const UPCOMING = `select a.id, coalesce(a.title, 'appointment') as title, a.start_time as start,
    $4::uuid is not null and (
      exists (
        select from appointment_blocks own
        join appointment_blocks other on other.sub_account_id = $1
          and other.member_id = $4 and other.block && own.block and other.slot_id <> own.slot_id
        where own.sub_account_id = $1 and own.appointment_id = a.id
          and own.member_id = $2
      ) or exists (
        select from appointment_blocks own
        join external_busy busy on busy.sub_account_id = $1
          and busy.member_id = $4 and busy.busy && own.block
        where own.sub_account_id = $1 and own.appointment_id = a.id
          and own.member_id = $2
      )
    ) as conflicts
  from appointments a
  where a.sub_account_id = $1 and a.status in ('scheduled', 'confirmed') and a.end_time > $3
    and (a.assigned_to = $2 or exists (
      select from appointment_blocks b where b.sub_account_id = $1
        and b.appointment_id = a.id and b.member_id = $2
    ))
  order by a.start_time, a.id for update of a`;

/** The new assignee may already be a member of the collective appointment. */
const DROP_SHARED_BLOCKS = `delete from appointment_blocks b
  where b.sub_account_id = $1 and b.member_id = $2 and b.appointment_id = any($3::uuid[])
    and exists (
      select from appointment_blocks other where other.sub_account_id = b.sub_account_id
        and other.appointment_id = b.appointment_id and other.member_id = $4
    )`;

const MOVE_BLOCKS = `update appointment_blocks set member_id = $4
  where sub_account_id = $1 and member_id = $2 and appointment_id = any($3::uuid[])`;

const REASSIGN = `update appointments set assigned_to = $4, assigned_at = $5, updated_at = $5
  where sub_account_id = $1 and assigned_to = $2 and id = any($3::uuid[])`;
