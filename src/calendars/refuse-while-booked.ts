import { Fault } from '#core/fault.ts';
import type { Work } from '#core/work.ts';
import type { AppointmentType } from './appointment-type.entity.ts';

/**
 * Types go once nobody is booked for them any more; until this work is done, nobody can be. Past
 * and cancelled appointments keep the type that is shown no more.
 */
export async function refuseWhileBooked(
  work: Work,
  calendarKey: string,
  types: readonly AppointmentType[],
): Promise<void> {
  if (types.length === 0) {
    return;
  }
  const ids = types.map(({ id }) => id);
  await work.rows(LOCK_TYPES, [work.subAccountId, ids]);
  const values = [work.subAccountId, ids, work.now];
  const booked = await work.rows<{ id: string; count: number }>(COUNT_BY_TYPE, values);
  if (booked.length > 0) {
    const told = types.flatMap(({ id, key }) => {
      const count = booked.find((one) => one.id === id)?.count;
      return count === undefined ? [] : [`${count} of its type ${key}`];
    });
    const total = booked.reduce((sum, { count }) => sum + count, 0);
    throw new Fault(
      'VALIDATION_ERROR',
      `calendar ${calendarKey} still has ${total} upcoming ${total === 1 ? 'appointment' : 'appointments'}: ${told.join(', ')}; nothing was changed`,
    );
  }
}

const LOCK_TYPES = `select pg_advisory_xact_lock(type_lock(id)) from (
    select id from appointment_types
    where sub_account_id = $1 and id = any($2::uuid[]) order by id
  ) as held`;

const COUNT_BY_TYPE = `select appointment_type_id as id, count(*) as count from appointments
  where sub_account_id = $1 and appointment_type_id = any($2::uuid[])
    and status in ('scheduled', 'confirmed') and end_time > $3
  group by appointment_type_id`;
