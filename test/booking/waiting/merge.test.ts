import { book, bookingOf } from '../../support/calendars.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';
import { open, send } from '../pages/page.support.ts';
import {
  cancel,
  doubles,
  fullDay,
  HELD_MINUTES,
  join,
  mailsOf,
  offer,
  offersOf,
} from './waiting.support.ts';

const MINUTE_MS = 60_000;
const ROUNDS = 20;
const LONG_MS = 600_000;
const rounds = Array.from({ length: ROUNDS }, (_, n) => n);

/** Returns the contact of a person who joined the waiting list. */
async function contactOf({ database, subAccountId }: TestService, name: string): Promise<string> {
  const text =
    'select contact_id as id from contact_emails where sub_account_id = $1 and email = $2';
  const values = [subAccountId, `${name}@example.com`.toLowerCase()];
  const [contact] = await database.rows<{ id: string }>(text, values);
  return contact?.id ?? '';
}

async function merge(service: TestService, kept: string, merged: string): Promise<void> {
  const contactId = await contactOf(service, merged);
  const path = `POST /api/v1/contacts/${await contactOf(service, kept)}/merge` as const;
  expect(await service.call(path, { body: { contactId } })).toMatchObject({ status: 200 });
}

/** Returns the states of all places, with the first name of their contact, in line order. */
const placesOf = async ({ database, subAccountId }: TestService): Promise<string[]> => {
  const rows = await database.rows<{ place: string }>(
    `select c.first_name || ' ' || e.state as place from waiting_entries e
     join contacts c on c.sub_account_id = e.sub_account_id and c.id = e.contact_id
     where e.sub_account_id = $1 order by e.id`,
    [subAccountId],
  );
  return rows.map(({ place }) => place);
};

/** Returns the places that are `offered` without an open offer, or the other way round. */
const contradictions = ({ database, subAccountId }: TestService) =>
  database.rows(
    `select e.id, e.state from waiting_entries e
     where e.sub_account_id = $1 and (e.state = 'offered') <> exists (
       select from waiting_offers o
       where o.sub_account_id = $1 and o.entry_id = e.id and o.state = 'offered'
     )`,
    [subAccountId],
  );

const booked = { status: 303, location: expect.stringMatching(/^\/book\/manage\/[\w-]+\?/) };

/** Accepts an offer by its link. */
async function accept(service: TestService, place: string) {
  const { status, headers } = await send(service, `${place}/book`, {});
  return { status, location: headers.get('location') };
}

/** Returns the first names of the customers who have a start. */
const ownersOf = async ({ database, subAccountId }: TestService, start = 0): Promise<string[]> => {
  const rows = await database.rows<{ name: string }>(
    `select c.first_name as name from appointments a
     join contacts c on c.sub_account_id = a.sub_account_id and c.id = a.contact_id
     where a.sub_account_id = $1 and a.status <> 'cancelled' and a.start_time = $2`,
    [subAccountId, new Date(start)],
  );
  return rows.map(({ name }) => name);
};

/** A person with two contacts, Ada and Ben, waits; the first slot is offered to Ada, and Cleo is next. */
async function offeredToAda(service: TestService) {
  const day = await fullDay(service);
  const [ada, ben] = [await join(service, day, 'Ada'), await join(service, day, 'Ben')];
  await join(service, day, 'Cleo');
  await cancel(service, day.booked[0] ?? '');
  await offer(service);
  return { day, ada, ben };
}

/** The same with an offer of the second slot to Ben, half of the time later. */
async function offeredToBoth(service: TestService) {
  const setup = await offeredToAda(service);
  service.clock.advance((HELD_MINUTES / 2) * MINUTE_MS);
  await cancel(service, setup.day.booked[1] ?? '');
  await offer(service);
  expect(await placesOf(service)).toEqual(['Ada offered', 'Ben offered', 'Cleo waiting']);
  return setup;
}

describe('after a merge of two contacts that wait for the same day', () => {
  test('the offer of the merged one is accepted by its link, for the kept one', async ({
    service,
  }) => {
    const { day, ada, ben } = await offeredToAda(service);
    await service.events();
    await merge(service, 'Ben', 'Ada');
    expect(await service.eventNames()).toEqual(['contact.updated']);
    expect(await placesOf(service)).toEqual(['Ben offered', 'Ben left', 'Cleo waiting']);
    expect((await open(service, ben)).text).toContain('You are no longer on the waiting list');
    await offer(service);
    expect(await mailsOf(service)).toHaveLength(1);
    expect(await accept(service, ada)).toEqual(booked);
    expect(await service.eventNames()).toEqual(['appointment.booked']);
    expect(await ownersOf(service, day.starts[0])).toEqual(['Ben']);
  });

  test('the offer of the kept one stays, and the place of the merged one ends', async ({
    service,
  }) => {
    const { ada } = await offeredToAda(service);
    await merge(service, 'Ada', 'Ben');
    expect(await placesOf(service)).toEqual(['Ada offered', 'Ada left', 'Cleo waiting']);
    expect(await accept(service, ada)).toEqual(booked);
  });

  test('the place of the kept one stays if both wait, and others are moved', async ({
    service,
  }) => {
    const day = await fullDay(service);
    for (const name of ['Ada', 'Ben', 'Cleo', 'Dora']) {
      await join(service, day, name);
    }
    await merge(service, 'Ben', 'Ada');
    await service.call(`DELETE /api/v1/contacts/${await contactOf(service, 'Cleo')}`);
    await merge(service, 'Dora', 'Ben');
    expect(await placesOf(service)).toEqual([
      'Dora left',
      'Dora left',
      'Cleo left',
      'Dora waiting',
    ]);
  });

  test('the later of two offers stays, and the slot of the other goes to the next person', async ({
    service,
  }) => {
    const { day, ada, ben } = await offeredToBoth(service);
    await service.events();
    await merge(service, 'Ada', 'Ben');
    expect(await service.eventNames()).toEqual(['contact.updated']);
    expect(await placesOf(service)).toEqual(['Ada left', 'Ada offered', 'Cleo waiting']);
    await offer(service);
    expect(await offersOf(service)).toEqual([
      { name: 'Ada', state: 'declined', start: day.starts[0] },
      { name: 'Ada', state: 'offered', start: day.starts[1] },
      { name: 'Cleo', state: 'offered', start: day.starts[0] },
    ]);
    expect((await accept(service, ada)).status).toBe(400);
    expect(await accept(service, ben)).toEqual(booked);
    expect(await ownersOf(service, day.starts[1])).toEqual(['Ada']);
    expect(await service.eventNames()).toEqual(['appointment.booked']);
  });

  test('a job is queued that offers the slot of the ended offer, and only then', async ({
    service,
  }) => {
    const { database, subAccountId } = service;
    const queued = () =>
      database.rows(
        `select key from graphile_worker.jobs
         where task_identifier = 'booking/offer-waiting' and key = $1`,
        [`booking/offer-waiting:${subAccountId}:`],
      );
    const { day, ben } = await offeredToBoth(service);
    await join(service, { ...day }, 'Dora');
    await database.rows('delete from graphile_worker._private_jobs');
    await merge(service, 'Cleo', 'Dora');
    expect(await queued()).toEqual([]);
    await merge(service, 'Ben', 'Ada');
    expect(await queued()).toHaveLength(1);
    expect(await accept(service, ben)).toEqual(booked);
  });

  test('without a further person, the slot of the ended offer is free again', async ({
    service,
  }) => {
    const { day } = await offeredToBoth(service);
    await merge(service, 'Cleo', 'Ada');
    await merge(service, 'Cleo', 'Ben');
    expect(await placesOf(service)).toEqual(['Cleo left', 'Cleo offered', 'Cleo left']);
    await offer(service);
    const other = (start = 0) => book(service, bookingOf(day.typeId, start));
    expect([(await other(day.starts[1])).status, (await other(day.starts[0])).status]).toEqual([
      400, 201,
    ]);
  });

  test('of two offers, an expired one gives way', async ({ service }) => {
    const { ben } = await offeredToBoth(service);
    service.clock.advance((HELD_MINUTES / 2 + 1) * MINUTE_MS);
    await merge(service, 'Ada', 'Ben');
    expect(await accept(service, ben)).toEqual(booked);
  });
});

describe.for(rounds)('round %i', (round) => {
  test(
    'a merge while the offers expire leaves one place, without a contradiction',
    { timeout: LONG_MS },
    async ({ service }) => {
      const isBoth = round % 2 === 0;
      await (isBoth ? offeredToBoth(service) : offeredToAda(service));
      service.clock.advance((HELD_MINUTES + 1) * MINUTE_MS);
      await Promise.all([
        merge(service, 'Ben', 'Ada'),
        offer(service),
        ...(round % 4 < 2 ? [offer(service)] : []),
      ]);
      const live = (await placesOf(service)).filter((place) => !place.endsWith('left'));
      const names = live.map((place) => place.split(' ')[0]);
      expect([round, names.length, new Set(names)]).toEqual([round, 2, new Set(['Ben', 'Cleo'])]);
      expect(await contradictions(service)).toEqual([]);
      await offer(service);
      expect(await contradictions(service)).toEqual([]);
      expect(await doubles(service)).toEqual([]);
      const offered = (await offersOf(service)).filter(({ state }) => state === 'offered');
      expect(offered.length).toBe(isBoth ? 2 : 1);
    },
  );

  test(
    'an offer that is accepted during a merge belongs to the kept contact',
    { timeout: LONG_MS },
    async ({ service }) => {
      const { day, ada } = await (round % 2 === 0 ? offeredToAda : offeredToBoth)(service);
      const [accepted] = await Promise.all([accept(service, ada), merge(service, 'Ben', 'Ada')]);
      const isBooked = accepted.status === 303;
      expect([round, isBooked || round % 2 === 1]).toEqual([round, true]);
      expect(await ownersOf(service, day.starts[0])).toEqual(isBooked ? ['Ben'] : []);
      expect(await contradictions(service)).toEqual([]);
      await offer(service);
      expect(await doubles(service)).toEqual([]);
    },
  );
});
