import { at, bookedOf, bookingOf, calendarOf } from '../../support/calendars.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';

const list = ({ call }: TestService, query: object = {}, key = 'full') =>
  call(`GET /api/v1/calendars/appointments?${new URLSearchParams({ ...query }).toString()}`, {
    key,
  });

const idsOf = ({ body }: any) => body.data.map(({ id }: any) => id);

/** At nine, ten and eleven tomorrow, in that order. */
async function threeOf(service: TestService) {
  const setup = await calendarOf(service);
  const ids = [];
  for (const time of ['09:00', '10:00', '11:00']) {
    ids.push((await bookedOf(service, bookingOf(setup.typeId, at(service, 1, time)))).id);
  }
  return { ...setup, ids };
}

describe('GET /api/v1/calendars/appointments', () => {
  test('lists all of the sub-account, newest first, page by page', async ({ service }) => {
    const { ids } = await threeOf(service);
    await threeOf(service).catch(() => undefined);
    const first = await list(service, { limit: 2 });
    expect(idsOf(first)).toEqual([ids[2], ids[1]]);
    expect(first.body.meta).toMatchObject({ total: 3, hasMore: true });
    const second = await list(service, { limit: 2, cursor: first.body.meta.cursor });
    expect(idsOf(second)).toEqual([ids[0]]);
    expect(second.body.meta).toMatchObject({ total: 3, hasMore: false, cursor: null });
    expect(second.body.data[0].contact).toMatchObject({ firstName: 'Ada', lastName: 'Lovelace' });
    expect((await list(service, {}, 'other')).body).toMatchObject({
      data: [],
      meta: { total: 0 },
    });
  });

  test('compares both dates with the start, both included', async ({ service }) => {
    const { ids } = await threeOf(service);
    const [nine, ten, eleven] = ['09:00', '10:00', '11:00'].map((time) => at(service, 1, time));
    const between = async (query: object) => idsOf(await list(service, query)).toReversed();
    expect(await between({ startDate: ten })).toEqual(ids.slice(1));
    expect(await between({ endDate: ten })).toEqual(ids.slice(0, 2));
    expect(await between({ startDate: ten, endDate: ten })).toEqual([ids[1]]);
    expect(await between({ startDate: (nine ?? 0) + 1, endDate: (eleven ?? 0) - 1 })).toEqual([
      ids[1],
    ]);
    expect(await between({ startDate: eleven, endDate: nine })).toEqual([]);
  });

  test('filters by calendar and status, and returns the total', async ({ service }) => {
    const { ids, calendarId } = await threeOf(service);
    await service.call(`DELETE /api/v1/calendars/appointments/${ids[0]}`);
    const cancelled = await list(service, { status: 'cancelled', calendarId });
    expect([idsOf(cancelled), cancelled.body.meta.total]).toEqual([[ids[0]], 1]);
    const scheduled = await list(service, { status: 'scheduled' });
    expect([idsOf(scheduled), scheduled.body.meta.total]).toEqual([[ids[2], ids[1]], 2]);
    expect((await list(service)).body.meta.total).toBe(3);
    expect(idsOf(await list(service, { calendarId: crypto.randomUUID() }))).toEqual([]);
  });

  test('filters by contact', async ({ service }) => {
    const { ids, typeId } = await threeOf(service);
    const grace = { firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com' };
    const booking = { ...bookingOf(typeId, at(service, 1, '12:00')), ...grace };
    const { id, contactId } = await bookedOf(service, booking);
    const found = await list(service, { contactId });
    expect([idsOf(found), found.body.meta.total]).toEqual([[id], 1]);
    const { contactId: ada } = (await list(service, { limit: 2 })).body.data[1];
    expect(idsOf(await list(service, { contactId: ada }))).toEqual(ids.toReversed());
    expect(idsOf(await list(service, { contactId: crypto.randomUUID() }))).toEqual([]);
  });

  test.for([
    ['an unknown status', { status: 'done' }],
    ['a date in words', { startDate: '2027-01-31' }],
    ['a calendar by name', { calendarId: 'checkup' }],
    ['a contact by name', { contactId: 'Ada' }],
  ] as const)('refuses %s', async ([, query], { service }) => {
    const { status, body } = await list(service, query);
    expect([status, body.error.details.issues[0].path]).toEqual([400, `/${Object.keys(query)[0]}`]);
  });
});
