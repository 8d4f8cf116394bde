import { at, book, bookingOf, calendarOf } from '../../support/calendars.ts';
import { describe, expect, test, type Answer, type TestService } from '../../support/service.ts';
import { managed, open, send } from '../pages/page.support.ts';

const HALF_HOUR_MS = 1_800_000;
const HOUR_MS = 2 * HALF_HOUR_MS;
const MAX = 20;

async function visitor(service: TestService) {
  const { typeId } = await calendarOf(service);
  const start = at(service, 1, '00:00');
  let slots = 0;
  const next = (email: string) => bookingOf(typeId, start + HALF_HOUR_MS * slots++, { email });
  const { subAccountId } = service;
  const bookAs = (email: string): Promise<Answer> =>
    service.call('POST /api/booking/appointments', {
      key: null,
      body: { subAccountId, ...next(email) },
    });
  return { next, bookAs };
}

describe('visitors, who may type the address of another person,', () => {
  test('book at most 20 appointments per contact and hour, cancelled ones included', async ({
    service,
  }) => {
    const { next, bookAs } = await visitor(service);
    for (let count = 0; count < MAX; count += 1) {
      const { status, body } = await bookAs('eve@x.com');
      expect(status).toBe(201);
      await service.call(`DELETE /api/v1/calendars/appointments/${body.data.id}`);
    }
    await service.events();
    const refused = await bookAs('EVE@x.com');
    expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMITED']);
    expect(refused.headers.get('retry-after')).toBe('3600');
    expect(await service.events()).toEqual([]);
    expect((await bookAs('grace@x.com')).status).toBe(201);
    expect((await book(service, next('eve@x.com'))).status).toBe(201);
    service.clock.advance(HOUR_MS + 1);
    expect((await bookAs('eve@x.com')).status).toBe(201);
  });

  test('move an appointment at most until 20 confirmations of it were sent in an hour', async ({
    service,
  }) => {
    const { id, path, startTime } = await managed(service);
    await service.database.rows(
      `insert into appointment_notices (sub_account_id, appointment_id, notice, written_at)
       select $1, $2, 'confirmation ' || n, $3 from generate_series(1, ${MAX}) n`,
      [service.subAccountId, id, service.clock()],
    );
    const start = String(startTime + HOUR_MS);
    const refused = await send(service, `${path}/move`, { start, tz: 'UTC' });
    expect(refused.status).toBe(429);
    expect(await service.events()).toEqual([]);
    expect((await open(service, path)).status).toBe(200);
    service.clock.advance(HOUR_MS + 1);
    expect((await send(service, `${path}/move`, { start, tz: 'UTC' })).status).toBe(303);
  });
});

describe('the name of a visitor', () => {
  test.for(['https://evil.example/x', 'Win 100 € at www.evil.example', 'evil.example/claim'])(
    'is refused with an address of a website: %s',
    async (name, { service }) => {
      const { next } = await visitor(service);
      for (const names of [{ firstName: name }, { lastName: name }]) {
        const { subAccountId } = service;
        const body = { subAccountId, ...next('eve@x.com'), ...names };
        const answer = await service.call('POST /api/booking/appointments', { key: null, body });
        expect([answer.status, answer.body.error?.details.issues[0].path]).toEqual([
          400,
          `/${Object.keys(names)[0]}`,
        ]);
      }
    },
  );

  test.for(['J.R.R.', 'St. John', 'Anne-Marie', "O'Neil", 'Dr. A. Müller', 'A/B'])(
    'may be %s',
    async (firstName, { service }) => {
      const { next } = await visitor(service);
      const { subAccountId } = service;
      const body = { subAccountId, ...next('eve@x.com'), firstName };
      expect(
        (await service.call('POST /api/booking/appointments', { key: null, body })).status,
      ).toBe(201);
    },
  );
});
