import { daysShown } from '../../../src/booking/pages/choice.ts';
import { calendarOf, dayFromNow } from '../../support/calendars.ts';
import { openServer } from '../../support/server.ts';
import { caller, describe, expect, test as base, type TestService } from '../../support/service.ts';
import { open, pageOf } from '../pages/page.support.ts';

const MANY = { limit: 1_000, windowMs: 60_000 };
const OTHERS = {
  chat_session: MANY,
  chat_message: MANY,
  chat_activity: MANY,
  chat_file: MANY,
  form_file: MANY,
  form: MANY,
  booking: MANY,
  workflow: MANY,
  sign_in: MANY,
  oauth: MANY,
  public_read: MANY,
  captcha: MANY,
  unsubscribe: MANY,
};

type Serve = (days: number, rateStore?: 'memory' | 'redis://127.0.0.1:1') => Promise<string>;

/** Starts servers that allow that many days of availability per minute and address. */
const test = base.extend<{ serve: Serve }>({
  serve: async ({ running: { databaseUrl, clock } }, use) => {
    const opened: { stop(): Promise<void> }[] = [];
    await use(async (days, rateStore = 'memory') => {
      const availability = { limit: days, windowMs: 60_000 };
      const publicRates = { ...OTHERS, availability };
      const server = await openServer({ databaseUrl, clock, publicRates, rateStore });
      opened.push(server);
      return server.url;
    });
    await Promise.all(opened.map(({ stop }) => stop()));
  },
});

async function asker(service: TestService, url: string) {
  const { typeId } = await calendarOf(service);
  return (days: number) => {
    const query = new URLSearchParams({
      subAccountId: service.subAccountId,
      appointmentTypeId: typeId,
      date: dayFromNow(service, 1),
      endDate: dayFromNow(service, days),
    });
    return caller(url, {})(`GET /api/booking/availability?${query.toString()}`, { key: null });
  };
}

describe('public availability', () => {
  test('counts days per address, returns the days that are left, then is refused', async ({
    service,
    serve,
  }) => {
    const ask = await asker(service, await serve(40));
    const first = await ask(31);
    expect([first.status, first.body.meta.daysReturned, first.body.meta.truncated]).toEqual([
      200,
      31,
      false,
    ]);
    expect(first.headers.get('x-ratelimit-limit')).toBe('40');
    expect(first.headers.get('x-ratelimit-remaining')).toBe('9');
    const second = await ask(31);
    expect([second.status, second.body.meta.daysReturned, second.body.meta.truncated]).toEqual([
      200,
      9,
      true,
    ]);
    const third = await ask(1);
    expect([third.status, third.body.error.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await service.eventNames()).toEqual([]);
  });

  test('is still shown while the rate-limit store is unavailable', async ({ service, serve }) => {
    const ask = await asker(service, await serve(40, 'redis://127.0.0.1:1'));
    expect((await ask(1)).status).toBe(200);
  });
});

describe('booking pages', () => {
  test('cost the days they show, from the same limit, and are refused as a page', async ({
    service,
    serve,
  }) => {
    const url = await serve(35);
    await calendarOf(service);
    const shown = await open({ url }, `${pageOf(service)}?month=9000-01`);
    expect([shown.status, shown.headers.get('x-ratelimit-remaining')]).toEqual([200, String(4)]);
    expect((await open({ url }, `${pageOf(service)}.md`)).status).toBe(200);
    const refused = await open({ url }, pageOf(service));
    expect([refused.status, refused.headers.get('content-type')]).toEqual([
      429,
      'text/html; charset=utf-8',
    ]);
    expect((await open({ url }, `/book/${service.subAccountId}`)).status).toBe(429);
  });

  test.for([
    ['the rest of this month', {}, 22],
    ['a whole later month', { month: '2027-02' }, 28],
    ['the month of a date', { date: '2026-12-24' }, 31],
    ['the month of a start', { start: String(Date.UTC(2026, 11, 24)) }, 31],
    ['this month instead of a past month', { month: '2020-01' }, 22],
    ['this month instead of malformed values', { month: 'x', date: 'y', start: 'z' }, 22],
    ['the last supported month', { month: '9999-12' }, 31],
    ['this month instead of a start after the year 9999', { start: '999999999999999' }, 22],
  ] as const)('cost %s', ([, choice, days]) => {
    expect(daysShown(choice, new Date('2026-11-09T12:00:00Z'))).toBe(days);
  });

  test('cost the weeks that follow a month about to end, too', () => {
    const shownOn = (day: number) => daysShown({}, new Date(Date.UTC(2026, 10, day, 12)));
    expect([16, 17, 30].map(shownOn)).toEqual([15, 14 + 27, 1 + 27]);
  });
});
