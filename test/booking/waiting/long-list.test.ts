import type { View, Work } from '#core/work.ts';
import { offerFreeSlots } from '../../../src/booking/waiting/offer-waiting.ts';
import { describe, expect, OPERATOR, test, type TestService } from '../../support/service.ts';
import { send } from '../pages/page.support.ts';
import { cancel, fullDay, join, offer, offersOf, type FullDay } from './waiting.support.ts';

const DAY_MS = 86_400_000;

/** Adds places behind the last one, named by their numbers, and returns their ids in order. */
async function fill(service: TestService, day: FullDay, count: number): Promise<string[]> {
  const { database, subAccountId, clock } = service;
  const from = new Date(day.starts[0] ?? 0);
  from.setUTCHours(0, 0, 0, 0);
  const times = [from, new Date(from.getTime() + DAY_MS), clock()];
  const rows = await database.rows<{ id: string }>(FILL, [
    subAccountId,
    day.typeId,
    count,
    ...times,
  ]);
  return rows.map(({ id }) => id).sort();
}

const FILL = `with people as (
    insert into contacts (sub_account_id, id, first_name, last_name, email, lifecycle_stage,
      created_at, updated_at)
    select $1, ('f0000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'n' || n, 'Waiting',
      'n' || n || '@example.com', 'lead', $6, $6
    from generate_series(1, $3::int) as n
    returning id
  )
  insert into waiting_entries (sub_account_id, id, appointment_type_id, contact_id,
    from_time, until_time, timezone, state, created_at, updated_at)
  select $1, id, $2, id, $4, $5, 'UTC', 'waiting', $6, $6 from people returning id`;

/** Lets the first places have had an offer of the day's first start. */
const passedOn = ({ database, subAccountId }: TestService, day: FullDay, ids: readonly string[]) =>
  database.rows(PASSED_ON, [
    subAccountId,
    ids,
    day.calendarId,
    day.typeId,
    new Date(day.starts[0] ?? 0),
  ]);

const PASSED_ON = `insert into waiting_offers (sub_account_id, id, entry_id, calendar_id,
    appointment_type_id, start_time, end_time, blocked, member_ids, is_seat, state, expires_at,
    created_at)
  select $1, gen_random_uuid(), one, $3, $4, $5, $5::timestamptz + interval '30 minutes',
    'empty', '{}', false, 'declined', $5, $5
  from unnest($2::uuid[]) as one`;

/** Returns the places behind which queued jobs begin. */
const queuedAfter = ({ database, subAccountId }: TestService) =>
  database.rows<{ after: string }>(
    `select j.payload->>'after' as after from graphile_worker._private_jobs j
     where j.payload->>'subAccountId' = $1 and j.payload->>'after' is not null order by j.id`,
    [subAccountId],
  );

/** Runs the job, and counts its searches for free times and its transactions. */
async function counted({ openView, transact, subAccountId, clock }: TestService) {
  const view = openView(subAccountId, clock());
  const counts = { searches: 0, searchesInside: 0, transactions: 0 };
  const rows: View['rows'] = (text, values) => {
    counts.searches += Number(text.includes('external_busy'));
    return view.rows(text, values);
  };
  await offerFreeSlots({
    view: { ...view, rows },
    change: (act) =>
      transact(subAccountId, OPERATOR, (work) => {
        counts.transactions += 1;
        const inside: Work['rows'] = (text, values) => {
          counts.searchesInside += Number(text.includes('external_busy'));
          return work.rows(text, values);
        };
        return act(
          new Proxy(work, {
            get: (target, name) => (name === 'rows' ? inside : Reflect.get(target, name)),
          }),
        );
      }),
    linkOf: (id) => `https://desk.example/${id}`,
  });
  return counts;
}

describe('a long waiting list', () => {
  test('has its free times found once per day, and outside of transactions', async ({
    service,
  }) => {
    const day = await fullDay(service);
    await fill(service, day, 40);
    const counts = await counted(service);
    expect(counts).toEqual({ searches: 1, searchesInside: 0, transactions: 1 });
  });

  test('keeps bookings waiting only while the slot of an offer is checked', async ({ service }) => {
    const day = await fullDay(service);
    await fill(service, day, 40);
    await cancel(service, day.booked[0] ?? '');
    const counts = await counted(service);
    expect(counts).toEqual({ searches: 2, searchesInside: 1, transactions: 2 });
    expect(await offersOf(service)).toMatchObject([{ name: 'n1', state: 'offered' }]);
  });

  test('is served 50 places at a time, first in line first', async ({ service }) => {
    const day = await fullDay(service);
    const ids = await fill(service, day, 120);
    await passedOn(service, day, ids.slice(0, 60));
    await cancel(service, day.booked[0] ?? '');
    await offer(service);
    expect(await queuedAfter(service)).toEqual([{ after: ids[49] }]);
    await offer(service, ids[49]);
    const open = (await offersOf(service)).filter(({ state }) => state === 'offered');
    expect(open).toEqual([{ name: 'n61', state: 'offered', start: day.starts[0] }]);
    expect(await queuedAfter(service)).toEqual([{ after: ids[49] }, { after: ids[99] }]);
  });

  test('offers a slot to the first in line, wherever the job began', async ({ service }) => {
    const day = await fullDay(service);
    const ids = await fill(service, day, 3);
    await cancel(service, day.booked[0] ?? '');
    await offer(service, ids[1]);
    expect(await offersOf(service)).toMatchObject([{ name: 'n1', state: 'offered' }]);
  });

  test('is offered 20 slots by one job; the next one continues', async ({ service }) => {
    const types = [{ key: 'yoga', name: 'Yoga', slug: 'check-up', duration: 30, seats: 1 }];
    const day = await fullDay(service, { type: 'class', types });
    const ids = await fill(service, day, 30);
    await service.database.rows('update appointment_types set seats = 30 where id = $1', [
      day.typeId,
    ]);
    await offer(service);
    expect(await offersOf(service)).toHaveLength(20);
    expect(await queuedAfter(service)).toEqual([{ after: ids[19] }]);
    await offer(service, ids[19]);
    expect((await offersOf(service)).map(({ name }) => name)).toEqual(
      ids.map((_, n) => `n${n + 1}`),
    );
  });
});

describe('the waiting list of a day', () => {
  const form = (date: string, email: string) => {
    return { date, tz: 'UTC', firstName: 'Zoe', lastName: 'Late', email };
  };

  test('has at most 200 places; further visitors are refused', async ({ service }) => {
    const day = await fullDay(service);
    await fill(service, day, 199);
    await join(service, day, 'Ada');
    await service.events();
    const path = `/book/${service.subAccountId}/check-up/wait`;
    for (const email of ['zoe@example.com', 'ada@example.com']) {
      const { status, text } = await send(service, path, form(day.date, email));
      expect([email, status]).toEqual([email, 400]);
      expect(text).toContain('The waiting list of this day is full');
    }
    expect(await service.eventNames()).toEqual([]);
  });

  test('counts days of all time zones, since the visitor chooses the zone', async ({ service }) => {
    const day = await fullDay(service);
    await fill(service, day, 200);
    const path = `/book/${service.subAccountId}/check-up/wait`;
    const { status } = await send(service, path, {
      ...form(day.date, 'zoe@example.com'),
      tz: 'Asia/Tokyo',
    });
    expect(status).toBe(400);
  });
});
