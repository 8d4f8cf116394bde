import ICAL from 'ical.js';
import { deleteSubAccount } from '../../../../src/accounts/sub-accounts/delete-sub-account.ts';
import { formatSpan } from '../../../../src/booking/pages/format-time.ts';
import { describe, expect, test, type TestService } from '../../../support/service.ts';
import { another, fieldsIn, linksIn, managed, open, send } from '../page.support.ts';

const HOUR_MS = 3_600_000;
const DAY_MINUTES = 24 * 60;

const read = async ({ call }: TestService, id: string) =>
  (await call(`GET /api/v1/calendars/appointments/${id}`)).body.data;

describe('the page of an appointment', () => {
  test('shows it to anyone with the link, but not to caches and other sites', async ({
    service,
  }) => {
    const { path, startTime } = await managed(service);
    const { status, headers, text } = await open(service, `${path}?tz=UTC`);
    expect(status).toBe(200);
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(text).toContain('name="robots" content="noindex"');
    expect(text).toContain('Check-up');
    expect(text).toContain(
      new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' }).format(startTime),
    );
    expect(text).not.toMatch(/\bAda\b|Lovelace|@example\.com/);
  });

  test('changes nothing when it is shown', async ({ service }) => {
    const { path, id } = await managed(service);
    const before = await read(service, id);
    for (const method of ['GET', 'HEAD']) {
      for (const one of ['', '/move', '/appointment.ics']) {
        expect((await open(service, path + one, { method })).status).toBe(200);
      }
      expect((await open(service, `${path}/cancel`, { method })).status).toBe(405);
    }
    expect([await service.events(), await read(service, id)]).toEqual([[], before]);
  });

  test('returns the appointment as an .ics file', async ({ service }) => {
    const { path, startTime } = await managed(service);
    const { headers, text } = await open(service, `${path}/appointment.ics`);
    expect(headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    expect(headers.get('content-disposition')).toContain('attachment');
    const event = new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent');
    const start = event?.getFirstPropertyValue('dtstart') as ICAL.Time;
    expect(start.toJSDate().getTime()).toBe(startTime);
    expect(String(event?.getFirstPropertyValue('url'))).toContain(path);
  });

  test('is 404 once the sub-account is deleted', async ({ service }) => {
    const { path } = await managed(service);
    await service.transact(service.subAccountId, service.actor, (work) => deleteSubAccount(work));
    expect((await open(service, path)).status).toBe(404);
    expect((await send(service, `${path}/cancel`, {})).status).toBe(404);
  });
});

describe('cancelling on that page', () => {
  test('fires only appointment.cancelled; repeating it fires nothing', async ({ service }) => {
    const { path, id } = await managed(service);
    for (let time = 0; time < 2; time += 1) {
      const done = await send(service, `${path}/cancel`, { tz: 'UTC', reason: ' ill ' });
      expect([done.status, done.headers.get('location')]).toEqual([303, `${path}?tz=UTC`]);
    }
    expect(await service.eventNames()).toEqual(['appointment.cancelled']);
    expect(await read(service, id)).toMatchObject({ status: 'cancelled', cancelReason: 'ill' });
    const shown = await open(service, path);
    expect(shown.text).toContain('This appointment is cancelled');
    expect(shown.text).not.toContain('method="post"');
    expect(linksIn(shown).some((href) => href.startsWith(`/book/${service.subAccountId}/`))).toBe(
      true,
    );
  });

  test('is refused with a message within the notice, and not offered', async ({ service }) => {
    const { path, id } = await managed(service, { cancelNotice: 7 * DAY_MINUTES });
    const shown = await open(service, path);
    expect(shown.text).not.toContain('action="' + path + '/cancel"');
    expect(shown.text).toContain('It is too late');
    const refused = await send(service, `${path}/cancel`, {});
    expect([refused.status, refused.headers.get('content-type')]).toEqual([
      400,
      'text/html; charset=utf-8',
    ]);
    expect(refused.text).toContain('It is too late');
    expect([await service.events(), (await read(service, id)).status]).toEqual([[], 'scheduled']);
  });
});

describe('moving on that page', () => {
  test('uses links to a slot and a form for the new time, and fires only appointment.rescheduled', async ({
    service,
  }) => {
    const { path, id, startTime } = await managed(service);
    const month = await open(service, `${path}/move?tz=UTC`);
    const slots = linksIn(month).filter((href) => href.includes('start='));
    const chosen = await open(service, slots.at(-1) ?? '');
    const form = fieldsIn(chosen);
    const start = Number(form['start']);
    expect(start).not.toBe(startTime);
    const span = formatSpan(start, start + HOUR_MS / 2, { locale: 'en', zone: 'UTC' });
    expect(chosen.text).toContain(span);
    const done = await send(service, `${path}/move`, form);
    expect([done.status, done.headers.get('location')]).toEqual([303, `${path}?tz=UTC&done=moved`]);
    expect(await service.eventNames()).toEqual(['appointment.rescheduled']);
    expect(Date.parse((await read(service, id)).startTime)).toBe(Number(form['start']));
  });

  test('may use a time that overlaps the old one', async ({ service }) => {
    const hour = { slotInterval: 15 };
    const { path, startTime } = await managed(service, hour);
    const to = String(startTime + HOUR_MS / 4);
    const offered = await open(service, `${path}/move?tz=UTC&start=${to}`);
    expect(fieldsIn(offered)['start']).toBe(to);
    expect((await send(service, `${path}/move`, { start: to })).status).toBe(303);
  });

  test('shows the free times again if the slot was taken meanwhile', async ({ service }) => {
    const { path, typeId, startTime } = await managed(service);
    await another(service, typeId, startTime + HOUR_MS);
    const refused = await send(service, `${path}/move`, {
      tz: 'UTC',
      start: String(startTime + HOUR_MS),
    });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('That time has just been taken');
    expect(
      linksIn(refused).some((href) => href.startsWith(`${path}/move?`) && href.includes('start=')),
    ).toBe(true);
    expect(await service.events()).toEqual([]);
  });

  test.for([
    [
      'if customers may not move',
      { allowCustomerReschedule: false },
      'cannot be rescheduled online',
    ],
    ['within the notice', { rescheduleNotice: 7 * DAY_MINUTES }, 'It is too late'],
  ] as const)('is refused with a message %s', async ([, rules, words], { service }) => {
    const { path, startTime } = await managed(service, rules);
    expect(linksIn(await open(service, path)).some((href) => href.includes('/move'))).toBe(false);
    expect((await open(service, `${path}/move`)).text).toContain(words);
    const refused = await send(service, `${path}/move`, { start: String(startTime + HOUR_MS) });
    expect([refused.status, refused.text.includes(words)]).toEqual([400, true]);
    expect(await service.events()).toEqual([]);
  });

  test('is not offered for a cancelled or past appointment', async ({ service }) => {
    const { path, startTime } = await managed(service);
    await send(service, `${path}/cancel`, {});
    await service.events();
    const moved = await send(service, `${path}/move`, { start: String(startTime + HOUR_MS) });
    expect(moved.status).toBe(400);
    const other = await managed(service, {}, 4);
    service.clock.advance(5 * 24 * HOUR_MS);
    expect((await open(service, other.path)).text).toContain('This appointment is over');
    expect((await send(service, `${other.path}/cancel`, {})).status).toBe(400);
    expect(await service.events()).toEqual([]);
  });
});
