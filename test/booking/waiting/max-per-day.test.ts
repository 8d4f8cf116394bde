import { availability, book, bookingOf, dayFromNow } from '../../support/calendars.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';
import { open, send } from '../pages/page.support.ts';
import { cancel, fullDay, join, linkOf, offer, offersOf, type FullDay } from './waiting.support.ts';

/** Sets up a day with four times of which two may be booked, one freed place, and two who wait. */
async function freedPlace(service: TestService): Promise<FullDay & { readonly places: string[] }> {
  const overrides = [{ date: dayFromNow(service, 2), hours: ['09:00-11:00'] }];
  const day = await fullDay(service, { overrides, maxPerDay: 2 });
  const places = [await join(service, day, 'Ada'), await join(service, day, 'Ben')];
  await cancel(service, day.booked[0] ?? '');
  await offer(service);
  return { ...day, places };
}

describe('the freed place of a day with a limit of appointments', () => {
  test('gives one offer, however many times are free', async ({ service }) => {
    const day = await freedPlace(service);
    expect(await offersOf(service)).toEqual([
      { name: 'Ada', state: 'offered', start: day.starts[0] },
    ]);
  });

  test('can be booked by the person who was offered it', async ({ service }) => {
    await freedPlace(service);
    const { status } = await send(service, `${await linkOf(service)}/book`, {});
    expect([status, (await offersOf(service)).map(({ state }) => state)]).toEqual([
      303,
      ['booked'],
    ]);
  });

  test('is taken for all others while it is offered', async ({ service }) => {
    const { typeId, date, starts } = await freedPlace(service);
    const query = { appointmentTypeId: typeId, date };
    expect((await availability(service, query)).body.data).toEqual([]);
    const other = await book(service, bookingOf(typeId, (starts[1] ?? 0) + 30 * 60_000));
    expect([other.status, other.body.error.details.reason]).toEqual([400, 'day_full']);
    const page = `/book/${service.subAccountId}/check-up?tz=UTC&date=${date}`;
    expect((await open(service, page)).text).toContain('Join the waiting list');
  });

  test('goes to the next person when it is declined', async ({ service }) => {
    const { places } = await freedPlace(service);
    await send(service, `${places[0]}/decline`, {});
    await offer(service);
    const [, second, third] = await offersOf(service);
    expect([second?.name, second?.state, third]).toEqual(['Ben', 'offered', undefined]);
    const accepted = await send(service, `${places[1]}/book`, {});
    expect(accepted.status).toBe(303);
  });
});
