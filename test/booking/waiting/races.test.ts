import { book, bookingOf } from '../../support/calendars.ts';
import { describe, expect, test } from '../../support/service.ts';
import { send } from '../pages/page.support.ts';
import { cancel, doubles, fullDay, join, mailsOf, offer, offersOf } from './waiting.support.ts';

const ROUNDS = 20;
const LONG_MS = 600_000;
const rounds = Array.from({ length: ROUNDS }, (_, n) => n);

describe.for(rounds)('round %i', (round) => {
  test(
    'two cancellations and two jobs at once: two slots, two persons, two mails',
    { timeout: LONG_MS },
    async ({ service }) => {
      const day = await fullDay(service);
      for (const name of ['Ada', 'Ben', 'Cleo']) {
        await join(service, day, name);
      }
      await Promise.all([
        ...day.booked.map((id) => cancel(service, id)),
        offer(service),
        offer(service),
      ]);
      await Promise.all([offer(service), offer(service)]);
      const offers = await offersOf(service);
      expect([round, offers.map(({ state }) => state)]).toEqual([round, ['offered', 'offered']]);
      expect(new Set(offers.map(({ start }) => start)).size).toBe(2);
      expect(offers.map(({ name }) => name).sort()).toEqual(['Ada', 'Ben']);
      expect(await mailsOf(service)).toHaveLength(2);
      expect(await doubles(service)).toEqual([]);
    },
  );

  test(
    'a booking between the cancellation and the offer: one of them has the slot',
    { timeout: LONG_MS },
    async ({ service }) => {
      const day = await fullDay(service);
      await join(service, day, 'Ada');
      await cancel(service, day.booked[0] ?? '');
      const [booked] = await Promise.all([
        book(service, bookingOf(day.typeId, day.starts[0] ?? 0)),
        offer(service),
        offer(service),
      ]);
      const offers = await offersOf(service);
      expect([booked.status, offers.length]).toEqual(booked.status === 201 ? [201, 0] : [400, 1]);
      expect(await mailsOf(service)).toHaveLength(offers.length);
      expect(await doubles(service)).toEqual([]);
    },
  );

  test(
    'an offer that is accepted while it is declined and offered again has one owner',
    { timeout: LONG_MS },
    async ({ service }) => {
      const day = await fullDay(service);
      const place = await join(service, day, 'Ada');
      await join(service, day, 'Ben');
      await cancel(service, day.booked[0] ?? '');
      await offer(service);
      const [accepted] = await Promise.all([
        send(service, `${place}/book`, {}),
        send(service, `${place}/decline`, {}),
        offer(service),
      ]);
      await offer(service);
      const states = (await offersOf(service)).map(({ name, state }) => `${name} ${state}`);
      expect(states).toEqual(
        accepted.status === 303 ? ['Ada booked'] : ['Ada declined', 'Ben offered'],
      );
      expect(await doubles(service)).toEqual([]);
    },
  );

  test(
    'killed in mid-offer: nothing is held and no mail is written; the next run offers',
    { timeout: LONG_MS },
    async ({ service }) => {
      const day = await fullDay(service);
      await join(service, day, 'Ada');
      await cancel(service, day.booked[0] ?? '');
      const killed = service.database.rows(KILL, []);
      await Promise.allSettled([offer(service), killed]);
      await offer(service);
      expect(await offersOf(service)).toMatchObject([{ name: 'Ada', state: 'offered' }]);
      expect(await mailsOf(service)).toHaveLength(1);
      expect(await doubles(service)).toEqual([]);
    },
  );
});

/** Ends the connections that hold the lock under which slots are offered, as a killed worker does. */
const KILL = `select pg_terminate_backend(l.pid) from pg_locks l
  where l.locktype = 'advisory' and l.granted and l.pid <> pg_backend_pid()
    and l.database = (select oid from pg_database where datname = current_database())`;
