import { Client } from 'pg';
import { WAITING_FOR_ME } from '../../support/locks.ts';
import { apply, run } from '../../support/manifest.ts';
import {
  at,
  BEN,
  book,
  bookedOf,
  bookingOf,
  calendarOf,
  CHECKUP,
} from '../../support/calendars.ts';
import { describe, expect, OPERATOR, test, type TestService } from '../../support/service.ts';
import { reassignAppointments } from '../../../src/booking/appointments/reassign-appointments.ts';

const BEN_CALENDAR = {
  ...CHECKUP,
  key: 'bens',
  members: ['ben'],
  types: [{ key: 'bens-30', name: 'Talk', slug: 'talk', duration: 30 }],
};
/** A manifest without Anna; the calendar is Ben's now. */
const WITHOUT_ANNA = { team: [BEN], calendars: [{ ...CHECKUP, members: ['ben'] }] };

const withAppointment = async (service: TestService, more: object = {}) => {
  const { typeId, team } = await calendarOf(service, more);
  const start = at(service, 2, '10:00');
  const appointment = await bookedOf(service, bookingOf(typeId, start));
  return { typeId, team, start, appointment };
};

const blocksOf = ({ database, subAccountId }: TestService, id: string) =>
  database.rows<{ member: string }>(
    `select member_id as member from appointment_blocks
     where sub_account_id = $1 and appointment_id = $2`,
    [subAccountId, id],
  );

const prune = { prune: true, reassign: 'ben' };
const assigneeOf = async ({ call }: TestService, id: string) =>
  (await call(`GET /api/v1/calendars/appointments/${id}`)).body.data.assignedTo;

describe('a team member with upcoming appointments', () => {
  test.for([false, true])(
    'is not removed, dry run: %s, and the refusal lists them',
    async (dryRun, { service }) => {
      const { appointment, team } = await withAppointment(service);
      const removing = apply(service, WITHOUT_ANNA, { prune: true, dryRun });
      await expect(removing).rejects.toThrow(
        new RegExp(
          `test.yaml:1:2: /team member anna still has 1 upcoming appointment: .* at \\S+T10:00:00.000Z \\(${appointment.id}\\); name a new assignee with --reassign`,
        ),
      );
      expect(await assigneeOf(service, appointment.id)).toBe(team['anna']);
      expect(await service.eventNames()).toEqual([]);
    },
  );

  test('is removed once a new assignee takes them over, which fires nothing', async ({
    service,
  }) => {
    const { typeId, team, start, appointment } = await withAppointment(service);
    const planned = await apply(service, WITHOUT_ANNA, { ...prune, dryRun: true });
    expect(await assigneeOf(service, appointment.id)).toBe(team['anna']);
    const { removed } = await apply(service, WITHOUT_ANNA, prune);
    expect(removed).toEqual(planned.removed);
    expect(removed).toContainEqual({ section: 'team', key: 'anna' });
    expect(await assigneeOf(service, appointment.id)).toBe(team['ben']);
    expect(await blocksOf(service, appointment.id)).toEqual([{ member: team['ben'] }]);
    const taken = await book(service, bookingOf(typeId, start));
    expect(taken.body.error.details.reason).toBe('slot_unavailable');
    expect(await service.eventNames()).toEqual([]);
  });

  test('is not removed if the new assignee has another appointment at the time', async ({
    service,
  }) => {
    const { start, appointment } = await withAppointment(service);
    const { ids } = await apply(service, { calendars: [BEN_CALENDAR] });
    const bens = ids['appointmentTypes']?.['bens-30'] ?? '';
    await bookedOf(service, bookingOf(bens, start));
    const calendars = [...WITHOUT_ANNA.calendars, BEN_CALENDAR];
    const removing = apply(service, { ...WITHOUT_ANNA, calendars }, prune);
    await expect(removing).rejects.toThrow(
      new RegExp(
        `the new assignee is busy during 1 upcoming appointment of member anna: .*${appointment.id}`,
      ),
    );
    expect(await service.eventNames()).toEqual([]);
  });

  test('is not removed if the external calendar of the new assignee is busy', async ({
    service,
  }) => {
    const { start, team } = await withAppointment(service);
    await service.database.rows(
      `insert into external_busy (sub_account_id, member_id, busy)
       values ($1, $2, tstzmultirange(tstzrange($3, $4)))`,
      [service.subAccountId, team['ben'], new Date(start), new Date(start + 60_000)],
    );
    await expect(apply(service, WITHOUT_ANNA, prune)).rejects.toThrow('the new assignee is busy');
  });

  test('leaves a collective appointment to an assignee who is part of it', async ({ service }) => {
    const collective = { type: 'collective', members: ['anna', 'ben'] };
    const { team, appointment } = await withAppointment(service, collective);
    const calendars = [{ ...CHECKUP, type: 'collective', members: ['ben'] }];
    await apply(service, { team: [BEN], calendars }, prune);
    expect(await assigneeOf(service, appointment.id)).toBe(team['ben']);
    expect(await blocksOf(service, appointment.id)).toEqual([{ member: team['ben'] }]);
  });

  test('gives every seat of a class to the new assignee', async ({ service }) => {
    const types = [{ key: 'yoga', name: 'Yoga', slug: 'yoga', duration: 30, seats: 3 }];
    const { typeId, team, start, appointment } = await withAppointment(service, {
      type: 'class',
      types,
    });
    const second = await bookedOf(service, bookingOf(typeId, start));
    const calendars = [{ ...CHECKUP, type: 'class', types, members: ['ben'] }];
    await apply(service, { team: [BEN], calendars }, prune);
    for (const { id } of [appointment, second]) {
      expect(await blocksOf(service, id)).toEqual([{ member: team['ben'] }]);
    }
    expect((await book(service, bookingOf(typeId, start))).status).toBe(201);
  });

  test('is removed without a new assignee once they are past or cancelled', async ({ service }) => {
    const { appointment } = await withAppointment(service);
    await service.call(`DELETE /api/v1/calendars/appointments/${appointment.id}`);
    const { removed } = await apply(service, WITHOUT_ANNA, { prune: true });
    expect(removed).toContainEqual({ section: 'team', key: 'anna' });
  });

  test('has its events written to the calendar of the new assignee', async ({ service }) => {
    const { appointment } = await withAppointment(service);
    const account = { type: 'caldav', url: 'https://dav.example/', user: 'ben' };
    const team = [{ ...BEN, externalCalendar: account }];
    await run(service, { ...WITHOUT_ANNA, team }, prune);
    const jobs = await service.database.rows<{ key: string }>(
      `select key from graphile_worker.jobs where task_identifier = 'booking/hold'`,
      [],
    );
    expect(jobs).toEqual([{ key: `booking/hold:${appointment.id}` }]);
  });
});

test('--reassign accepts only a member that stays', async ({ service }) => {
  await withAppointment(service);
  for (const reassign of ['anna', 'unknown']) {
    const removing = apply(service, WITHOUT_ANNA, { prune: true, reassign });
    await expect(removing).rejects.toThrow(
      `--reassign: the team has no member "${reassign}" after this change; use one of ben`,
    );
  }
});

test('the removal of a member waits for a booking that is under way', async ({ service }) => {
  await calendarOf(service);
  const booking = new Client({ connectionString: service.databaseUrl });
  await booking.connect();
  await booking.query('begin');
  // The lock that a booking takes first.
  await booking.query('select pg_advisory_xact_lock_shared(bookings_lock($1))', [
    service.subAccountId,
  ]);
  const removing = apply(service, WITHOUT_ANNA, { prune: true });
  await expect
    .poll(async () => (await booking.query(WAITING_FOR_ME)).rowCount, { timeout: 60_000 })
    .toBe(1);
  await booking.query('commit');
  await booking.end();
  await removing;
});

test('a removal takes one lock, however many types there are: transactions share their memory', async ({
  service,
}) => {
  const types = Array.from({ length: 30 }, (_, n) => ({
    key: `type-${n}`,
    name: 'Talk',
    slug: `talk-${n}`,
    duration: 30,
  }));
  const { team } = await calendarOf(service, { types });
  const data = { memberId: team['anna'], memberKey: 'anna', reassignTo: null };
  const locks = await service.transact(service.subAccountId, OPERATOR, async (work) => {
    await reassignAppointments(work, { data } as Parameters<typeof reassignAppointments>[1]);
    return work.rows(MY_LOCKS, []);
  });
  expect(locks).toHaveLength(1);
});

const MY_LOCKS = `select from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`;
