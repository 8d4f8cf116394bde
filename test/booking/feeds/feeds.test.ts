import ICAL from 'ical.js';
import { findFeeds, type Feed, rotateFeed } from '../../../src/booking/feeds/feed-addresses.ts';
import { currentFeed } from '../../../src/booking/feeds/read-feed.ts';
import { at, bookedOf, bookingOf, calendarOf } from '../../support/calendars.ts';
import { cyclesDuring } from '../../support/cycles.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';

const feedsOf = ({ openView, clock, secrets, subAccountId }: TestService): Promise<Feed[]> =>
  findFeeds(openView(subAccountId, clock()), secrets);

const tokenOf = async (service: TestService, key: string): Promise<string> =>
  (await feedsOf(service)).find((feed) => feed.key === key)?.token ?? '';

const get = ({ call }: TestService, token: string, headers = {}) =>
  call(`GET /calendar/${token}.ics`, { key: null, headers });

/** Returns the events as a calendar program reads them. */
const eventsIn = (ics: string) =>
  new ICAL.Component(ICAL.parse(ics))
    .getAllSubcomponents('vevent')
    .map((component) => new ICAL.Event(component));

describe('a feed', () => {
  test('lists the appointments of the calendar or the member, with type and customer', async ({
    service,
  }) => {
    const { typeId } = await calendarOf(service);
    const startTime = at(service, 1, '09:00');
    const { id } = await bookedOf(service, bookingOf(typeId, startTime, { notes: 'left ear' }));
    for (const key of ['checkup', 'anna']) {
      const reply = await get(service, await tokenOf(service, key));
      expect([reply.status, reply.headers.get('content-type')]).toEqual([
        200,
        'text/calendar; charset=utf-8',
      ]);
      expect(reply.body).toMatch(/[^\r\n]\r\nEND:VCALENDAR\r\n$/);
      expect(reply.body).not.toMatch(/^METHOD:/m);
      const [event, ...more] = eventsIn(reply.body);
      expect(more).toEqual([]);
      expect(event?.uid).toBe(`${id}@frontdesk`);
      expect(event?.summary).toBe('Check-up: Ada Lovelace');
      expect(event?.startDate.toJSDate().getTime()).toBe(startTime);
      expect(event?.endDate.toJSDate().getTime()).toBe(startTime + 1_800_000);
      expect(reply.body).not.toContain('@example.com');
      expect(reply.body).not.toContain('left ear');
    }
    const others = await get(service, await tokenOf(service, 'ben'));
    expect(eventsIn(others.body)).toEqual([]);
    expect(others.body).toMatch(/[^\r\n]\r\nEND:VCALENDAR\r\n$/);
    expect(await service.eventNames()).toEqual([]);
  });

  test('leaves out cancelled appointments, and has an ETag that changes with them', async ({
    service,
  }) => {
    const { typeId } = await calendarOf(service);
    const { id } = await bookedOf(service, bookingOf(typeId, at(service, 1, '09:00')));
    const token = await tokenOf(service, 'checkup');
    const first = await get(service, token);
    const known = { 'if-none-match': first.headers.get('etag') ?? '' };
    const same = await get(service, token, known);
    expect([same.status, same.body]).toEqual([304, '']);
    await service.call(`DELETE /api/v1/calendars/appointments/${id}`);
    const changed = await get(service, token, known);
    expect([changed.status, eventsIn(changed.body)]).toEqual([200, []]);
  });

  test('has another ETag once a name in it changes', async ({ service }) => {
    const { typeId } = await calendarOf(service);
    await bookedOf(service, bookingOf(typeId, at(service, 1, '09:00')));
    const token = await tokenOf(service, 'checkup');
    const etags = [(await get(service, token)).headers.get('etag')];
    for (const change of [
      `update contacts set last_name = 'Byron' where sub_account_id = $1`,
      `update contacts set deleted_at = now() where sub_account_id = $1`,
      `update calendars set name = 'Teeth' where sub_account_id = $1`,
    ]) {
      await service.database.rows(change, [service.subAccountId]);
      etags.push((await get(service, token)).headers.get('etag'));
    }
    expect(new Set(etags).size).toBe(4);
  });

  test('is read once by concurrent requests, and not at all for its ETag', async ({ service }) => {
    const { subAccountId, openView, clock } = service;
    await calendarOf(service);
    const { ownerId } = (await feedsOf(service)).find(({ key }) => key === 'checkup') as Feed;
    await service.database.rows(MANY, [subAccountId, ownerId, clock()]);
    const view = openView(subAccountId, clock());
    const read: string[] = [];
    const rows: typeof view.rows = (text, values) => {
      read.push(text);
      return view.rows(text, values);
    };
    const open = () => currentFeed({ ...view, rows }, ownerId);
    const feeds = await Promise.all([open(), open(), open()]);
    expect(read.every((text) => text.includes('sha256'))).toBe(true);
    read.length = 0;
    const building = Promise.all(feeds.map(({ build }) => build()));
    expect(await cyclesDuring(building)).toBeGreaterThan(4);
    const [first, ...others] = await building;
    expect(read).toHaveLength(1);
    expect(others.every((other) => other === first)).toBe(true);
    expect(first?.headers?.['etag']).toBe(feeds[0]?.document.headers?.['etag']);
    expect(eventsIn(String(first?.body))).toHaveLength(3_000);
    await (await open()).build();
    expect(read).toHaveLength(3);
  });

  test('returns 404 for a token that was altered, made elsewhere, or is malformed', async ({
    service,
  }) => {
    await calendarOf(service);
    const token = await tokenOf(service, 'checkup');
    const altered = token.slice(0, -1) + (token.endsWith('A') ? 'Q' : 'A');
    const other = (token.startsWith('A') ? 'B' : 'A') + token.slice(1);
    for (const wrong of [altered, other, 'x', `${token}x`, '%00', 'A'.repeat(64)]) {
      expect((await get(service, wrong)).status, wrong).toBe(404);
    }
    expect((await service.call(`GET /calendar/${token}`, { key: null })).status).toBe(404);
  });

  test('has a new URL once it is rotated, and the old one returns 404', async ({ service }) => {
    await calendarOf(service);
    const feeds = await feedsOf(service);
    const checkup = feeds.find(({ key }) => key === 'checkup');
    const rotate = () =>
      service.transact(service.subAccountId, service.actor, async (work) =>
        rotateFeed(work, checkup?.ownerId ?? ''),
      );
    const seen = [checkup?.token ?? ''];
    for (let n = 0; n < 2; n += 1) {
      await rotate();
      seen.push(await tokenOf(service, 'checkup'));
    }
    expect(new Set(seen).size).toBe(3);
    const replies = await Promise.all(seen.map((token) => get(service, token)));
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 200]);
    expect(await tokenOf(service, 'anna')).toBe(feeds.find(({ key }) => key === 'anna')?.token);
  });

  test('returns 404 once the sub-account is deleted', async ({ service }) => {
    await calendarOf(service);
    const token = await tokenOf(service, 'checkup');
    await service.database.rows('update sub_accounts set deleted_at = now() where id = $1', [
      service.subAccountId,
    ]);
    expect((await get(service, token)).status).toBe(404);
  });
});

const MANY = `insert into appointments
    (sub_account_id, id, calendar_id, title, start_time, end_time, status, assigned_at, created_at,
    updated_at)
  select $1, gen_random_uuid(), $2, 'Check-up', $3::timestamptz + n * interval '1 hour',
    $3::timestamptz + (n + 1) * interval '1 hour', 'confirmed', $3, $3, $3
  from generate_series(1, 3000) as n`;
