import {
  ANNA,
  BEN,
  bookedOf,
  bookingOf,
  calendarOf,
  CHECKUP,
  nextSlot,
} from '../support/calendars.ts';
import { apply, exported } from '../support/manifest.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';

const TEAM = [ANNA, BEN];
const [CHECKUP_30] = CHECKUP.types as [any];

/** A calendar with every field of the contract's example. */
const WHOLE = {
  key: 'checkup',
  name: 'Check-ups',
  type: 'round-robin',
  timezone: 'Europe/Berlin',
  members: ['anna', { member: 'ben', hours: { fri: ['08:00-09:30'] } }],
  hours: { mon: ['09:00-12:00', '13:00-17:00'], sun: ['20:00-24:00'] },
  overrides: [
    { date: '2026-12-24', hours: [] },
    { date: '2026-12-27', hours: ['10:00-12:00'] },
  ],
  slotInterval: 30,
  buffers: { before: 0, after: 10 },
  minimumNotice: 120,
  maximumAdvance: 60,
  maxPerDay: 12,
  allowCustomerReschedule: false,
  cancelNotice: 60,
  rescheduleNotice: 90,
  showSeats: false,
  confirmation: { channel: 'email', subject: 'Booked: {{appointment.title}}', body: 'See you' },
  reminders: [{ before: 1_440, channel: 'sms', body: 'Tomorrow' }],
  types: [{ ...CHECKUP_30, active: true }],
};

const shown = async ({ call }: TestService, path: string) => (await call(`GET ${path}`)).body.data;
const namesOf = (rows: any[]) => rows.map(({ name }) => name);

describe('calendars of a manifest', () => {
  test('are created with ids for calendars and types, and no event', async ({ service }) => {
    const outcome = await apply(service, { team: TEAM, calendars: [WHOLE] });
    expect(outcome).toMatchObject({
      ids: {
        calendars: { checkup: expect.any(String) },
        appointmentTypes: { 'checkup-30': expect.any(String) },
      },
    });
    expect(await service.eventNames()).toEqual([]);
  });

  test('are unchanged when applied twice, and equal their export', async ({ service }) => {
    await apply(service, { team: TEAM, calendars: [WHOLE] });
    const again = await apply(service, { team: TEAM, calendars: [WHOLE] }, { prune: true });
    expect(again).toMatchObject({ created: [], updated: [], removed: [] });
    const { calendars } = await exported(service);
    expect(calendars).toEqual([WHOLE]);
  });

  test('need only keys and names', async ({ service }) => {
    const bare = { key: 'bare', name: 'Bare', types: [{ key: 'any', name: 'Any' }] };
    await apply(service, { subAccount: { timezone: 'Asia/Tokyo' }, calendars: [bare] });
    expect((await apply(service, { calendars: [bare] })).unchanged).toBe(1);
    expect(await shown(service, '/api/v1/calendars')).toMatchObject([
      { name: 'Bare', type: 'personal', timezone: 'Asia/Tokyo' },
    ]);
    expect(await shown(service, '/api/v1/calendars/types')).toMatchObject([
      { name: 'Any', slug: 'any', duration: 30 },
    ]);
  });

  test("keep their ids and their types' ids when everything else changes", async ({ service }) => {
    const { ids } = await apply(service, { team: TEAM, calendars: [WHOLE] });
    const types = [{ ...CHECKUP_30, name: 'Long one', duration: 60 }];
    const changed = { ...WHOLE, name: 'Checks', members: ['ben'], hours: {}, types };
    const outcome = await apply(service, { calendars: [changed] });
    expect(outcome.ids).toEqual(ids);
    expect(outcome.updated).toMatchObject([{ fields: ['name', 'members', 'hours', 'types'] }]);
  });

  test('that leave out types keep them', async ({ service }) => {
    const { types: _, ...without } = WHOLE;
    await apply(service, { team: TEAM, calendars: [WHOLE] });
    expect((await apply(service, { calendars: [without] })).unchanged).toBe(1);
    expect(namesOf(await shown(service, '/api/v1/calendars/types'))).toEqual(['Check-up']);
  });

  test.for([
    ['two members in a personal calendar', { type: 'personal' }, '/members'],
    ['an unknown member', { members: ['zoe'] }, '/members/0'],
    ['a member twice', { members: ['anna', { member: 'anna' }] }, '/members/1'],
    [
      'seats of a calendar that is not a class',
      { types: [{ ...CHECKUP_30, seats: 3 }] },
      '/types/0/seats',
    ],
    ['a type twice', { types: [CHECKUP_30, CHECKUP_30] }, '/types/1/key'],
    [
      'a slug twice',
      { types: [CHECKUP_30, { key: 'b', name: 'B', slug: 'Check-Up' }] },
      '/types/1/slug',
    ],
    ['a window that ends before it starts', { hours: { mon: ['12:00-09:00'] } }, '/hours/mon/0'],
    ['a window without length', { hours: { mon: ['09:00-09:00'] } }, '/hours/mon/0'],
    ['windows that overlap', { hours: { mon: ['09:00-12:00', '11:00-13:00'] } }, '/hours/mon/1'],
    [
      'windows out of order',
      { members: [{ member: 'anna', hours: { tue: ['13:00-14:00', '09:00-10:00'] } }] },
      '/members/0/hours/tue/1',
    ],
    ['a time after 24:00', { hours: { mon: ['09:00-24:30'] } }, '/hours/mon/0'],
    ['a time without a leading zero', { hours: { mon: ['9:00-12:00'] } }, '/hours/mon/0'],
    ['an unknown day', { hours: { monday: [] } }, '/hours/monday'],
    [
      'a date that does not exist',
      { overrides: [{ date: '2026-02-30', hours: [] }] },
      '/overrides/0/date',
    ],
    [
      'a date twice',
      { overrides: [...WHOLE.overrides, { date: '2026-12-24', hours: [] }] },
      '/overrides/2/date',
    ],
    ['an unknown time zone', { timezone: 'Mars/Olympus' }, '/timezone'],
    ['half a minute', { slotInterval: 0.5 }, '/slotInterval'],
    ['an interval of zero', { slotInterval: 0 }, '/slotInterval'],
    ['a negative buffer', { buffers: { before: -1 } }, '/buffers/before'],
    ['an unknown channel', { confirmation: { channel: 'fax', body: 'x' } }, '/channel'],
    [
      'a reminder after the start',
      { reminders: [{ before: 0, channel: 'sms', body: 'x' }] },
      '/before',
    ],
    ['an unknown type of calendar', { type: 'group' }, '/type'],
    ['an unknown field', { colour: 'red' }, '/colour'],
  ] as const)('with %s are refused by path and line', async ([, change, path], { service }) => {
    const applied = apply(service, { team: TEAM, calendars: [{ ...WHOLE, ...change }] });
    await expect(applied).rejects.toThrow(new RegExp(`test.yaml:1:\\d+: [^\\n]*${path}`));
    expect(await shown(service, '/api/v1/calendars')).toEqual([]);
  });

  test('cannot share a type', async ({ service }) => {
    const calendars = [WHOLE, { ...WHOLE, key: 'other', name: 'Other' }];
    const applied = apply(service, { team: TEAM, calendars });
    await expect(applied).rejects.toThrow('cannot have the type checkup-30');
  });
});

describe('an upcoming appointment', () => {
  const withOne = async (service: TestService) => {
    const { typeId } = await calendarOf(service);
    const { startTime } = await nextSlot(service, typeId);
    return bookedOf(service, bookingOf(typeId, startTime));
  };

  test('prevents its calendar from being pruned and its type from being removed', async ({
    service,
  }) => {
    const { id } = await withOne(service);
    const pruned = apply(service, { team: [ANNA] }, { prune: true });
    await expect(pruned).rejects.toThrow('still has 1 upcoming appointment: 1 of its type');
    const without = apply(service, { calendars: [{ ...CHECKUP, types: [] }] });
    await expect(without).rejects.toThrow('1 of its type checkup-30');
    expect(await shown(service, '/api/v1/calendars/types')).toHaveLength(1);

    await service.call(`DELETE /api/v1/calendars/appointments/${id}`);
    const { removed } = await apply(service, { team: [ANNA] }, { prune: true });
    expect(removed).toContainEqual({ section: 'calendars', key: 'checkup' });
    expect(await shown(service, '/api/v1/calendars')).toEqual([]);
    expect(await shown(service, '/api/v1/calendars/types')).toEqual([]);
    const { body } = await service.call(`GET /api/v1/calendars/appointments/${id}`);
    expect(body.data.status).toBe('cancelled');
  });

  test('has its calendar and type back once a manifest names their keys again', async ({
    service,
  }) => {
    const { ids } = await apply(service, { team: [ANNA], calendars: [CHECKUP] });
    await apply(service, { team: [ANNA] }, { prune: true });
    expect((await exported(service)).calendars).toBeUndefined();
    const again = await apply(service, { calendars: [CHECKUP] });
    expect(again).toMatchObject({ created: [{ key: 'checkup' }], ids });
    expect(await shown(service, '/api/v1/calendars')).toHaveLength(1);
  });
});

describe('GET /api/v1/calendars and its types', () => {
  test("are the active ones of the sub-account, in the manifest's order", async ({ service }) => {
    const types = [
      { key: 'b', name: 'B', duration: 20 },
      { key: 'off', name: 'Off', active: false },
      { key: 'a', name: 'A', duration: 45, slug: 'first' },
    ];
    const second = { key: 'second', name: 'Second', types };
    const { ids } = await apply(service, { team: TEAM, calendars: [second, WHOLE] });
    expect(await shown(service, '/api/v1/calendars')).toEqual([
      { id: ids['calendars']?.['second'], name: 'Second', type: 'personal', timezone: 'UTC' },
      {
        id: ids['calendars']?.['checkup'],
        name: 'Check-ups',
        type: 'round-robin',
        timezone: 'Europe/Berlin',
      },
    ]);
    const calendarId = ids['calendars']?.['second'];
    expect(await shown(service, `/api/v1/calendars/types?calendarId=${calendarId}`)).toEqual([
      {
        id: ids['appointmentTypes']?.['b'],
        calendarId,
        name: 'B',
        duration: 20,
        slug: 'b',
        members: [],
      },
      {
        id: ids['appointmentTypes']?.['a'],
        calendarId,
        name: 'A',
        duration: 45,
        slug: 'first',
        members: [],
      },
    ]);
    expect(namesOf(await shown(service, '/api/v1/calendars/types'))).toEqual([
      'B',
      'A',
      'Check-up',
    ]);
    const unknown = `/api/v1/calendars/types?calendarId=${crypto.randomUUID()}`;
    expect(await shown(service, unknown)).toEqual([]);
    const { body } = await service.call('GET /api/v1/calendars', { key: 'other' });
    expect(body.data).toEqual([]);
    const foreign = await service.call(`GET /api/v1/calendars/types?calendarId=${calendarId}`, {
      key: 'other',
    });
    expect(foreign.body.data).toEqual([]);
  });
});
