import { signInAs } from '../../support/people.ts';
import { bookingOf } from '../../support/calendars.ts';
import { why } from '../../console/why/why.support.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';
import { open, send } from '../pages/page.support.ts';
import { cancel, fullDay, HELD_MINUTES, join, linkOf, offer, offersOf } from './waiting.support.ts';

const LIST = 'GET /api/v1/calendars/waiting-list';
const REMOVE = 'DELETE /api/v1/calendars/waiting-list';

const listed = async ({ call }: Pick<TestService, 'call'>, query = ''): Promise<any[]> => {
  const { status, body } = await call(`${LIST}${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
};

const auditOf = ({ database, subAccountId }: TestService, recordId: string) =>
  database.rows(
    `select operation, actor_kind as kind from audit_entries
     where sub_account_id = $1 and record_id = $2 order by id desc limit 1`,
    [subAccountId, recordId],
  );

describe('the waiting list for the team', () => {
  test('shows who waits for which day, first in line first', async ({ service }) => {
    const day = await fullDay(service);
    await join(service, day, 'Ada');
    await join(service, day, 'Ben');
    const [ada, ben] = await listed(service);
    expect(ada).toEqual({
      id: expect.any(String),
      calendarId: day.calendarId,
      appointmentTypeId: day.typeId,
      contactId: expect.any(String),
      contact: { firstName: 'Ada', lastName: 'Waiting', email: 'Ada@example.com', phone: null },
      status: 'waiting',
      date: day.date,
      timezone: 'UTC',
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      offer: null,
    });
    expect(ben.contact.firstName).toBe('Ben');
  });

  test('is paged, and narrowed to a calendar and a type', async ({ service }) => {
    const day = await fullDay(service);
    await join(service, day, 'Ada');
    await join(service, day, 'Ben');
    const { body } = await service.call(`${LIST}?limit=1&calendarId=${day.calendarId}`);
    expect([body.data.length, body.meta.hasMore]).toEqual([1, true]);
    const query = `?limit=1&calendarId=${day.calendarId}&cursor=${body.meta.cursor}`;
    expect(await listed(service, query)).toMatchObject([{ contact: { firstName: 'Ben' } }]);
    expect(await listed(service, `?appointmentTypeId=${day.typeId}`)).toHaveLength(2);
    for (const filter of ['calendarId', 'appointmentTypeId']) {
      expect(await listed(service, `?${filter}=${crypto.randomUUID()}`)).toEqual([]);
    }
  });

  test('shows the slot that is held, and until when', async ({ service }) => {
    const day = await fullDay(service);
    await join(service, day, 'Ada');
    await cancel(service, day.booked[0] ?? '');
    await offer(service);
    const [place] = await listed(service);
    expect(place.status).toBe('offered');
    expect(place.offer.startTime).toBe(new Date(day.starts[0] ?? 0).toISOString());
    const held = Date.parse(place.offer.expiresAt) - service.clock().getTime();
    expect(held / 60_000).toBeCloseTo(HELD_MINUTES, 0);
    service.clock.advance(HELD_MINUTES * 60_000 + 1_000);
    expect(await listed(service)).toMatchObject([{ status: 'waiting', offer: null }]);
  });

  test('the explanation of a start says that it is held, and until when', async ({ service }) => {
    const day = await fullDay(service);
    await join(service, day, 'Ada');
    await cancel(service, day.booked[0] ?? '');
    await offer(service);
    const [start = 0] = day.starts;
    const asked = { kind: 'slot', type: day.typeId, start: new Date(start).toISOString() };
    const { reasons } = await why(service, asked);
    expect(reasons[0].sentence).toMatch(
      /^09:00–09:30 with Anna .*is held for the waiting list until 20\S+ \d\d:\d\d, and the slot needs 09:00–09:30\.$/,
    );
    const [place] = await listed(service);
    const heldUntil = Date.parse(place.offer.expiresAt);
    expect(reasons[0].facts.busy).toMatchObject([{ heldUntil }]);
    const refused = await service.call('POST /api/v1/calendars/appointments', {
      body: bookingOf(day.typeId, start),
    });
    expect(refused.body.error.message).toContain('held for the waiting list');
  });

  test('has neither those who booked or left nor days that are over', async ({ service }) => {
    const day = await fullDay(service);
    await join(service, day, 'Ada');
    await send(service, `${await join(service, day, 'Ben')}/leave`, {});
    await join(service, day, 'Cleo');
    await cancel(service, day.booked[0] ?? '');
    await offer(service);
    await send(service, `${await linkOf(service)}/book`, {});
    expect(await listed(service)).toMatchObject([{ contact: { firstName: 'Cleo' } }]);
    service.clock.advance(4 * 24 * 3_600_000);
    expect(await listed(service)).toEqual([]);
  });

  test('lets the team remove a customer, once', async ({ service }) => {
    const day = await fullDay(service);
    const link = await join(service, day, 'Ada');
    const [{ id }] = await listed(service);
    await service.events();
    const { status, body } = await service.call(`${REMOVE}/${id}`);
    expect([status, body.data]).toEqual([200, { id, deleted: true }]);
    expect(await listed(service)).toEqual([]);
    expect((await service.call(`${REMOVE}/${id}`)).status).toBe(404);
    expect((await open(service, link)).text).not.toContain('You are on the waiting list');
    expect(await auditOf(service, id)).toEqual([{ operation: 'waiting.remove', kind: 'key' }]);
    expect(await service.eventNames()).toEqual([]);
  });

  test('offers what was held for a removed customer to the next', async ({ service }) => {
    const day = await fullDay(service);
    await join(service, day, 'Ada');
    await join(service, day, 'Ben');
    await cancel(service, day.booked[0] ?? '');
    await offer(service);
    const [{ id }] = await listed(service);
    await service.call(`${REMOVE}/${id}`);
    await offer(service);
    expect(await offersOf(service)).toMatchObject([
      { name: 'Ada', state: 'declined' },
      { name: 'Ben', state: 'offered', start: day.starts[0] },
    ]);
  });

  test('is read by viewers of the console, and changed by agents', async ({ service }) => {
    const day = await fullDay(service);
    await join(service, day, 'Ada');
    const path = '/console/api/v1/calendars/waiting-list';
    const viewer = await signInAs(service, 'viewer');
    const { body } = await viewer.call(`GET ${path}`);
    const [{ id }] = body.data;
    expect((await viewer.call(`DELETE ${path}/${id}`)).status).toBe(403);
    const agent = await signInAs(service, 'agent');
    expect((await agent.call(`DELETE ${path}/${id}`)).status).toBe(200);
    expect(await auditOf(service, id)).toMatchObject([{ kind: 'user' }]);
  });
});
