import { expect, test } from 'vitest';
import { newId } from '#lib/id.ts';
import { TAKEN } from '../../../src/booking/availability/taken-times.ts';
import { startDelivering, type Delivering } from '../../support/deliveries.ts';
import { insertUnchecked } from '../../support/unchecked-rows.ts';
import {
  addSubAccount,
  countsReads,
  ESTABLISHED,
  FEW,
  LINEAR,
  MANY,
  readsOf,
} from '../../support/unknown-sub-account.ts';

/** An appointment an hour of one member, with buffers of five minutes around it. */
const APPOINTMENTS = [
  `insert into appointments (sub_account_id, id, contact_id, calendar_id, start_time, end_time, status,
     assigned_to, assigned_at, created_at, updated_at)
   select $1, gen_random_uuid(), $2, $2, at, at + interval '30 min', 'confirmed', $2, now(), now(), now()
   from generate_series(1, $3::int) as n
   cross join lateral (select timestamptz '2026-01-01' + n * interval '1 h' as at) as hour`,
  `insert into appointment_blocks (sub_account_id, appointment_id, member_id, block, slot_id)
   select $1, id, $2, tstzrange(start_time - interval '5 min', end_time + interval '5 min'), id
   from appointments where sub_account_id = $1 and $3::int > 0`,
];

async function bookedHours(service: Delivering, rows: number) {
  const subAccountId = await addSubAccount(service);
  const memberId = newId(new Date());
  await insertUnchecked(service, [subAccountId, memberId, rows], APPOINTMENTS);
  return { subAccountId, memberId };
}

async function readsOfSchedule(service: Delivering, rows: number): Promise<number> {
  const { subAccountId, memberId } = await bookedHours(service, rows);
  const times = [new Date('2026-01-01'), new Date('2026-12-31')];
  const values = [subAccountId, [memberId], ...times];
  expect(await service.database.rows(TAKEN, values)).toHaveLength(2 * rows);
  return readsOf(service, [{ text: TAKEN, values }]);
}

test.runIf(countsReads)(
  'a schedule reads the appointments of a sub-account that the statistics do not know yet once',
  async () => {
    const service = await startDelivering();
    await bookedHours(service, ESTABLISHED);
    await service.database.rows('analyze');
    const few = await readsOfSchedule(service, FEW);
    expect(await readsOfSchedule(service, MANY)).toBeLessThan(LINEAR * few);
  },
);
