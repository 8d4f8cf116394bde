import { apply } from './manifest.ts';
import type { Answer, TestService } from './service.ts';

const DAY_MS = 86_400_000;
const WEEK = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/** Open at all times, so that tests do not depend on the day they run. */
export const always = (...windows: string[]): object =>
  Object.fromEntries(WEEK.map((day) => [day, windows.length > 0 ? windows : ['00:00-24:00']]));

export const ANNA = { key: 'anna', name: 'Anna Weber' };
export const BEN = { key: 'ben', name: 'Ben Krause' };
const CLEO = { key: 'cleo', name: 'Cleo Marsh' };

/** Anna's calendar, with half-hour slots around the clock. */
export const CHECKUP = {
  key: 'checkup',
  name: 'Check-ups',
  type: 'personal',
  timezone: 'UTC',
  members: ['anna'],
  hours: always(),
  types: [{ key: 'checkup-30', name: 'Check-up', slug: 'check-up', duration: 30 }],
};

/** One type, in its own calendar. */
export interface Setup {
  readonly calendarId: string;
  readonly typeId: string;
  readonly team: Readonly<Record<string, string>>;
  readonly types: Readonly<Record<string, string>>;
}

/** Sets up a calendar like CHECKUP with changes, and discards its events. */
export async function calendarOf(
  service: TestService,
  more: object = {},
  key = 'full',
): Promise<Setup> {
  const calendar = { ...CHECKUP, ...more };
  const to = key === 'other' ? service.otherSubAccountId : service.subAccountId;
  const manifest = { team: [ANNA, BEN, CLEO], calendars: [calendar] };
  const { ids } = await apply(service, manifest, { to });
  const [type] = calendar.types;
  return {
    calendarId: ids['calendars']?.[calendar.key] ?? '',
    typeId: ids['appointmentTypes']?.[type?.key ?? ''] ?? '',
    team: ids['team'] ?? {},
    types: ids['appointmentTypes'] ?? {},
  };
}

const begun = new WeakMap<TestService, number>();

/**
 * Returns the date in that many days, in UTC. It is that of the first call in a test, which midnight
 * does not change between two calls, and follows the clock where the test advances it.
 */
export function dayFromNow(service: TestService, days: number): string {
  const now = Date.now();
  const since = begun.get(service) ?? now;
  begun.set(service, since);
  const ahead = service.clock().getTime() - now;
  return new Date(since + ahead + days * DAY_MS).toISOString().slice(0, 10);
}

/** A moment of that day. */
export const at = (service: TestService, days: number, time: string): number =>
  Date.parse(`${dayFromNow(service, days)}T${time}:00Z`);

export const availability = ({ call }: TestService, query: object, key = 'full'): Promise<Answer> =>
  call(`GET /api/v1/calendars/availability?${new URLSearchParams({ ...query }).toString()}`, {
    key,
  });

let customers = 0;

/** Returns a booking body with a new customer. */
export const bookingOf = (typeId: string, startTime: number, more: object = {}) => ({
  appointmentTypeId: typeId,
  startTime,
  endTime: startTime + 30 * 60_000,
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: `ada.${(customers += 1)}@example.com`,
  ...more,
});

export const book = ({ call }: TestService, body: object, key = 'full'): Promise<Answer> =>
  call('POST /api/v1/calendars/appointments', { key, body });

/** Books an appointment and discards its events. */
export async function bookedOf(service: TestService, body: object, key = 'full'): Promise<any> {
  const reply = await book(service, body, key);
  if (reply.status !== 201) {
    throw new Error(JSON.stringify(reply.body));
  }
  await service.events();
  return reply.body.data;
}

/** Books the first free slot from tomorrow. */
export async function bookNext(service: TestService, key = 'full'): Promise<any> {
  const { typeId } = await calendarOf(service, {}, key);
  return bookedOf(
    service,
    bookingOf(typeId, (await nextSlot(service, typeId, key)).startTime),
    key,
  );
}

export async function nextSlot(service: TestService, typeId: string, key = 'full'): Promise<any> {
  const query = {
    appointmentTypeId: typeId,
    date: dayFromNow(service, 1),
    endDate: dayFromNow(service, 5),
  };
  return (await availability(service, query, key)).body.data[0];
}

/** Returns the reason of a refused booking, or the status of a successful one. */
export const reasonOf = ({ status, body }: Answer): unknown =>
  status === 400 ? body.error.details.reason : status;
