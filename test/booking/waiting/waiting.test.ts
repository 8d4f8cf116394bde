import type { JobContext } from '#core/job.ts';
import { deleteSubAccount } from '../../../src/accounts/sub-accounts/delete-sub-account.ts';
import { handleCheckWaiting } from '../../../src/booking/waiting/offer-waiting.ts';
import { book, bookingOf, calendarOf } from '../../support/calendars.ts';
import { describe, expect, test } from '../../support/service.ts';
import { open, send } from '../pages/page.support.ts';
import {
  cancel,
  confirmJoined,
  fullDay,
  HELD_MINUTES,
  join,
  linkOf,
  mailsOf,
  offer,
  offersOf,
  submitJoin,
} from './waiting.support.ts';

const MINUTE_MS = 60_000;

describe('the waiting list of a full day', () => {
  test('is joined once by each person, and creates a contact', async ({ service }) => {
    const day = await fullDay(service);
    const first = await join(service, day, 'Ada');
    expect(await service.eventNames()).toEqual(['contact.created']);
    expect(await join(service, day, 'Ada')).toBe(first);
    expect(await service.eventNames()).toEqual([]);
    const { text } = await open(service, first);
    expect(text).toContain('You are on the waiting list');
  });

  test('gives its link to the person alone: joining again looks like joining anew', async ({
    service,
  }) => {
    const day = await fullDay(service);
    const joined = await submitJoin(service, day, { name: 'Vera' });
    const again = { name: 'Mallory', email: 'VERA@example.com' };
    expect(await submitJoin(service, day, again)).toBe(joined);
    expect(await submitJoin(service, day, { name: 'Mallory' })).toBe(joined);
    await cancel(service, day.booked[0] ?? '');
    await offer(service);
    expect(await offersOf(service)).toMatchObject([{ name: 'Vera', state: 'offered' }]);
    const { status, text } = await open(service, joined);
    expect([status, text.includes('You are on the waiting list')]).toEqual([200, true]);
    expect(text).not.toMatch(/book\/wait\/|<form|Vera|Mallory/);
  });

  test('mails the link of a new place once, and fires no event for it', async ({ service }) => {
    const day = await fullDay(service);
    const place = await join(service, day, 'Ada');
    await submitJoin(service, day, { name: 'Mallory', email: 'ada@example.com' });
    await service.events();
    await confirmJoined(service);
    expect(await mailsOf(service, 'You are on the waiting list')).toEqual([
      { name: 'Ada', link: place },
    ]);
    expect(await service.eventNames()).toEqual([]);
    await cancel(service, day.booked[0] ?? '');
    await offer(service);
    expect(await linkOf(service)).toBe(place);
  });

  test('mails nothing to a person who left, has an offer, or has opted out', async ({
    service,
  }) => {
    const day = await fullDay(service);
    await join(service, day, 'Ada');
    await send(service, `${await join(service, day, 'Ben')}/leave`, {});
    await join(service, day, 'Cleo');
    const { data } = (await service.call('GET /api/v1/contacts?email=Cleo@example.com')).body;
    const optOut = { body: { dnd: { all: true } } };
    await service.call(`PATCH /api/v1/contacts/${data[0].id}`, optOut);
    await cancel(service, day.booked[0] ?? '');
    await offer(service);
    await confirmJoined(service);
    expect(await mailsOf(service, 'You are on the waiting list')).toEqual([]);
  });

  test('is offered by the page of the type on that day only', async ({ service }) => {
    const day = await fullDay(service);
    const page = `/book/${service.subAccountId}/check-up?tz=UTC&date=${day.date}`;
    expect((await open(service, page)).text).toContain('Join the waiting list');
    await cancel(service, day.booked[0] ?? '');
    expect((await open(service, page)).text).not.toContain('Join the waiting list');
  });

  test('is refused for a day with free times, and for a calendar without one', async ({
    service,
  }) => {
    const day = await fullDay(service);
    await cancel(service, day.booked[0] ?? '');
    const form = { date: day.date, tz: 'UTC', firstName: 'A', lastName: 'B', email: 'a@b.example' };
    const path = `/book/${service.subAccountId}/check-up/wait`;
    await service.events();
    const refused = await send(service, path, form);
    expect([refused.status, refused.text.includes('This day has free times')]).toEqual([400, true]);
    await calendarOf(service);
    expect((await send(service, path, form)).status).toBe(400);
    expect(await service.eventNames()).toEqual([]);
  });

  test('keeps what was typed when a detail is wrong', async ({ service }) => {
    const { date } = await fullDay(service);
    const path = `/book/${service.subAccountId}/check-up/wait`;
    const form = { date, tz: 'UTC', firstName: 'Ada', lastName: '', email: 'nonsense' };
    const { status, text } = await send(service, path, form);
    expect([status, text.includes('value="Ada"'), text.includes('href="#email"')]).toEqual([
      400,
      true,
      true,
    ]);
  });
});

describe('a freed slot', () => {
  test('is offered to one person at a time by a mail, and is taken for everyone else', async ({
    service,
  }) => {
    const day = await fullDay(service);
    await join(service, day, 'Ada');
    await join(service, day, 'Ben');
    await cancel(service, day.booked[0] ?? '');
    await service.events();
    await offer(service);
    await offer(service);
    expect(await offersOf(service)).toEqual([
      { name: 'Ada', state: 'offered', start: day.starts[0] },
    ]);
    expect(await mailsOf(service)).toMatchObject([{ name: 'Ada' }]);
    const other = await book(service, bookingOf(day.typeId, day.starts[0] ?? 0));
    expect([other.status, other.body.error.details.reason]).toEqual([400, 'slot_unavailable']);
    expect(await service.eventNames()).toEqual([]);
  });

  test('is booked by the link of the mail, once', async ({ service }) => {
    const day = await fullDay(service);
    await join(service, day, 'Ada');
    await cancel(service, day.booked[0] ?? '');
    await offer(service);
    await service.events();
    const link = await linkOf(service);
    expect((await open(service, link)).text).toContain('Book this time');
    const booked = await send(service, `${link}/book`, {});
    expect([booked.status, booked.headers.get('location')]).toEqual([
      303,
      expect.stringMatching(/^\/book\/manage\/[\w-]+\?done=booked$/),
    ]);
    expect(await service.eventNames()).toEqual(['appointment.booked']);
    // A double click: the browser shows the second response.
    const again = await send(service, `${link}/book`, {});
    expect([again.status, again.headers.get('location')]).toEqual([
      303,
      booked.headers.get('location'),
    ]);
    expect(await service.eventNames()).toEqual([]);
    expect(await offersOf(service)).toMatchObject([{ state: 'booked' }]);
  });

  test('goes to the next person when the offer expires, and the link no longer books', async ({
    service,
  }) => {
    const day = await fullDay(service);
    await join(service, day, 'Ada');
    await join(service, day, 'Ben');
    await cancel(service, day.booked[0] ?? '');
    await offer(service);
    const link = await linkOf(service);
    service.clock.advance((HELD_MINUTES + 1) * MINUTE_MS);
    expect((await send(service, `${link}/book`, {})).status).toBe(400);
    await offer(service);
    expect(await offersOf(service)).toMatchObject([
      { name: 'Ada', state: 'expired' },
      { name: 'Ben', state: 'offered' },
    ]);
    expect((await send(service, `${link}/book`, {})).status).toBe(400);
  });

  test('goes to the next person when it is declined; the place stays', async ({ service }) => {
    const day = await fullDay(service);
    const place = await join(service, day, 'Ada');
    await join(service, day, 'Ben');
    await cancel(service, day.booked[0] ?? '');
    await offer(service);
    expect((await send(service, `${place}/decline`, {})).status).toBe(303);
    await offer(service);
    expect(await offersOf(service)).toMatchObject([
      { name: 'Ada', state: 'declined' },
      { name: 'Ben', state: 'offered', start: day.starts[0] },
    ]);
    await cancel(service, day.booked[1] ?? '');
    await offer(service);
    expect(await offersOf(service)).toMatchObject([
      {},
      {},
      { name: 'Ada', state: 'offered', start: day.starts[1] },
    ]);
  });

  test('is not offered after leaving, being deleted, or opting out of messages', async ({
    service,
  }) => {
    const day = await fullDay(service);
    const place = await join(service, day, 'Ada');
    await join(service, day, 'Ben');
    await join(service, day, 'Cleo');
    await join(service, day, 'Dora');
    await send(service, `${place}/leave`, {});
    expect((await open(service, place)).text).toContain('You are no longer on the waiting list');
    const contacts = (await service.call('GET /api/v1/contacts')).body.data as any[];
    const idOf = (name: string) => contacts.find(({ firstName }) => firstName === name)?.id;
    await service.call(`DELETE /api/v1/contacts/${idOf('Ben')}`);
    await service.call(`PATCH /api/v1/contacts/${idOf('Cleo')}`, { body: { dnd: { all: true } } });
    await cancel(service, day.booked[0] ?? '');
    expect(await offer(service)).toHaveLength(1);
    expect(await offersOf(service)).toMatchObject([{ name: 'Dora', state: 'offered' }]);
  });

  test('cannot be changed once the sub-account is closed', async ({ service }) => {
    const day = await fullDay(service);
    const place = await join(service, day, 'Ada');
    await cancel(service, day.booked[0] ?? '');
    await offer(service);
    await service.transact(service.subAccountId, service.actor, deleteSubAccount);
    for (const change of ['book', 'decline', 'leave']) {
      expect([change, (await send(service, `${place}/${change}`, {})).status]).toEqual([
        change,
        404,
      ]);
    }
    expect(await offersOf(service)).toMatchObject([{ name: 'Ada', state: 'offered' }]);
  });
});

describe('the periodic check', () => {
  test('queues one job for each sub-account where a person waits', async ({ service }) => {
    const { database, subAccountId } = service;
    const context = { execute: (text: string, values: unknown[]) => database.rows(text, values) };
    const queued = async () => {
      await database.rows('delete from graphile_worker._private_jobs');
      await handleCheckWaiting.handle({}, context as unknown as JobContext);
      return database.rows(
        `select key from graphile_worker.jobs
         where task_identifier = 'booking/offer-waiting' and key like '%' || $1 || '%'`,
        [subAccountId],
      );
    };
    const day = await fullDay(service);
    expect(await queued()).toEqual([]);
    const place = await join(service, day, 'Ada');
    await join(service, day, 'Ben');
    expect(await queued()).toEqual([{ key: `booking/offer-waiting:${subAccountId}:` }]);
    await send(service, `${place}/leave`, {});
    expect(await queued()).toHaveLength(1);
  });
});

describe('a seat of a class', () => {
  test('is held beside the other seats', async ({ service }) => {
    const types = [{ key: 'yoga', name: 'Yoga', slug: 'check-up', duration: 30, seats: 1 }];
    const day = await fullDay(service, { type: 'class', types });
    await join(service, day, 'Ada');
    await cancel(service, day.booked[0] ?? '');
    await offer(service);
    const other = await book(service, bookingOf(day.typeId, day.starts[0] ?? 0));
    expect(other.body.error.details.reason).toBe('slot_unavailable');
    const link = await linkOf(service);
    expect((await send(service, `${link}/book`, {})).status).toBe(303);
  });
});
