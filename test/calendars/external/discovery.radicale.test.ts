import { describe, expect, onTestFinished, test } from 'vitest';
import { noon } from '../../booking/notices/notices.support.ts';
import { ANNA } from '../../support/calendars.ts';
import { startSink } from '../../support/https-sink.ts';
import { calendarOf, during } from '../../support/ics-server.ts';
import { HALF_HOUR_MS, askAgain, refusal, settled, startDesk } from './caldav.support.ts';

type Desk = Awaited<ReturnType<typeof startDesk>>;

const errorOf = async ({ database }: Desk) => {
  const [row] = await database.rows<{ error: string | null }>(
    'select last_error as error from external_busy',
    [],
  );
  return row?.error;
};

/** Anna's manifest names another address of the same account. */
async function named(desk: Desk, path: string): Promise<void> {
  const { account } = desk.radicale;
  const url = new URL(path, account.url).href;
  await desk.calendar({}, { ...ANNA, externalCalendar: { ...account, url } });
  await settled(desk);
}

describe.each(['/', '/anna', '/.well-known/caldav'])('an account at %s', (path) => {
  test('has its only calendar discovered, read and written to', async () => {
    const desk = await startDesk();
    await desk.radicale.put(
      'yoga.ics',
      calendarOf(['X-KIND:yoga', ...during(noon(3), noon(3) + HALF_HOUR_MS)]),
    );
    await named(desk, path);
    expect(await errorOf(desk)).toBe(null);
    expect(await refusal(desk, noon(3))).toBe('slot_unavailable');
    const id = await desk.book(desk.typeId, noon(4));
    await settled(desk);
    expect(await desk.radicale.names()).toEqual([`${id}.ics`, 'yoga.ics'].sort());
    await askAgain(desk);
    expect(await errorOf(desk)).toBe(null);
  });
});

test('an account with several calendars gets an error that lists them', async () => {
  const desk = await startDesk();
  const { url, user, password } = desk.radicale.account;
  const headers = { authorization: `Basic ${btoa(`${user}:${password}`)}` };
  const work = new URL('../work/', url).href;
  expect((await fetch(work, { method: 'MKCALENDAR', headers })).status).toBe(201);
  await named(desk, '/');
  const error = await errorOf(desk);
  expect(error).toContain('it has several calendars');
  expect([error?.includes(url), error?.includes(work)]).toEqual([true, true]);
});

test('a server that links to another one is not followed, and the other never gets the password', async () => {
  const desk = await startDesk();
  const [server, other] = [await startSink(), await startSink()];
  onTestFinished(server.close);
  onTestFinished(other.close);
  server.answer = (_request, response) => {
    response.statusCode = 302;
    response.setHeader('location', `${other.url}/dav/`);
    response.end();
  };
  const { account } = desk.radicale;
  const externalCalendar = { ...account, url: `${server.url}/` };
  await desk.calendar({}, { ...ANNA, externalCalendar });
  await settled(desk);
  expect(await errorOf(desk)).toBe('it is not a CalDAV calendar');
  expect(server.requests.length).toBeGreaterThan(0);
  expect(other.requests).toEqual([]);
});
