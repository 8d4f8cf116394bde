import { at, book, bookedOf, bookingOf, calendarOf, CHECKUP } from '../../support/calendars.ts';
import { apply } from '../../support/manifest.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';
import { GRACE, open, openForm, pageOf, send } from './page.support.ts';

const appointments = async ({ call }: TestService): Promise<any[]> =>
  (await call('GET /api/v1/calendars/appointments')).body.data;

describe('the form of a booking page', () => {
  test('books, fires the events of a booking, and redirects to the manage page', async ({
    service,
  }) => {
    await calendarOf(service);
    await service.events();
    const fields = await openForm(service, at(service, 1, '09:00'));
    const phone = '+44 (20) 7946-0018';
    const done = await send(service, pageOf(service), {
      ...fields,
      ...GRACE,
      phone,
      notes: 'Hi\r\nyou',
    });
    expect(done.status).toBe(303);
    const place = done.headers.get('location') ?? '';
    expect(place).toMatch(/^\/book\/manage\/[\w-]{64}\?tz=UTC&done=booked$/);
    expect((await open(service, place)).text).toContain('You are booked');
    expect(await service.eventNames()).toEqual(['contact.created', 'appointment.booked']);
    const [appointment] = await appointments(service);
    expect(appointment).toMatchObject({
      notes: 'Hi\nyou',
      contact: { firstName: 'Grace', email: 'grace@example.com', phone: '+442079460018' },
    });
  });

  test('sent twice, at once or later, books once and redirects to the same page', async ({
    service,
  }) => {
    await calendarOf(service, { type: 'class', types: [{ ...CHECKUP.types[0], seats: 9 }] });
    const fields = { ...(await openForm(service, at(service, 1, '09:00'))), ...GRACE };
    const twice = await Promise.all([0, 1, 2].map(() => send(service, pageOf(service), fields)));
    const again = await send(service, pageOf(service), fields);
    const places = new Set([...twice, again].map(({ headers }) => headers.get('location')));
    expect([places.size, (await appointments(service)).length]).toEqual([1, 1]);
    const fresh = { ...fields, ...(await openForm(service, at(service, 1, '09:00'))), ...GRACE };
    expect((await send(service, pageOf(service), fresh)).headers.get('location')).not.toBe(
      [...places][0],
    );
    expect(await appointments(service)).toHaveLength(2);
  });

  test('sent again with corrected details says on the page that nothing changed', async ({
    service,
  }) => {
    await calendarOf(service);
    const fields = { ...(await openForm(service, at(service, 1, '09:00'))), ...GRACE };
    const first = await send(service, pageOf(service), { ...fields, email: 'typo@example.com' });
    await service.events();
    const place = (await send(service, pageOf(service), fields)).headers.get('location') ?? '';
    expect(place).toBe(first.headers.get('location')?.replace('booked', 'unchanged'));
    const shown = (await open(service, place)).text;
    expect(shown).toMatch(/role="alert"[^>]*>This time is already booked, with the details/);
    expect(shown).not.toContain('You are booked');
    expect(await service.eventNames()).toEqual([]);
    expect(await appointments(service)).toHaveLength(1);
  });

  test('shows an error at each wrong field, and keeps what was typed', async ({ service }) => {
    await calendarOf(service);
    await service.events();
    const fields = await openForm(service, at(service, 1, '09:00'));
    const typed = {
      ...fields,
      ...GRACE,
      firstName: ' ',
      lastName: '<b>"Hopper',
      email: 'grace',
      phone: '030 1',
    };
    const { status, text, headers } = await send(service, pageOf(service), typed);
    expect([status, headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
    expect(text).toContain('role="alert"');
    for (const name of ['firstName', 'email', 'phone']) {
      expect(text).toMatch(new RegExp(`id="${name}"[^>]*aria-invalid="true"[^>]*${name}-wrong`));
      expect(text).toContain(`<a href="#${name}">`);
    }
    expect(text).not.toMatch(/id="lastName"[^>]*aria-invalid/);
    expect(text).toContain('value="&lt;b&gt;&quot;Hopper"');
    expect(text).toContain('value="030 1"');
    expect(text).toMatch(/<textarea[^>]*><\/textarea/);
    expect(await service.events()).toEqual([]);
  });

  test('says that a name must not contain the address of a website', async ({ service }) => {
    await calendarOf(service);
    await service.events();
    const fields = await openForm(service, at(service, 1, '09:00'));
    const lastName = 'https://evil.example/claim';
    const { status, text } = await send(service, pageOf(service), {
      ...fields,
      ...GRACE,
      lastName,
    });
    expect(status).toBe(400);
    expect(text).toMatch(/id="lastName"[^>]*aria-invalid="true"/);
    expect(text).toContain('A name must not contain the address of a website.');
    expect(text).not.toContain('This is too long.');
    expect(await service.events()).toEqual([]);
  });

  test('offers the other times of the day if the slot was taken meanwhile, and keeps the other values', async ({
    service,
  }) => {
    const { typeId } = await calendarOf(service, DAYTIME);
    const startTime = at(service, 1, '09:00');
    const fields = await openForm(service, startTime);
    await book(service, bookingOf(typeId, startTime));
    await service.events();
    const refused = await send(service, pageOf(service), { ...fields, ...GRACE });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('That time has just been taken');
    expect(refused.text).toContain('value="grace@example.com"');
    expect(await service.events()).toEqual([]);
    const others = [...refused.text.matchAll(/type="radio" name="start" value="(\d+)"/g)];
    const [other] = others.map(([, start = '']) => start);
    expect(Number(other)).toBe(startTime + 1_800_000);
    const done = await send(service, pageOf(service), { ...fields, ...GRACE, start: other ?? '' });
    expect(done.status).toBe(303);
    expect(await service.eventNames()).toEqual(['contact.created', 'appointment.booked']);
  });

  test('offers the next free times of later days if the day is taken', async ({ service }) => {
    const { typeId } = await calendarOf(service, { ...DAYTIME, maxPerDay: 1 });
    const startTime = at(service, 1, '09:00');
    const fields = await openForm(service, startTime);
    await bookedOf(service, bookingOf(typeId, startTime));
    const refused = await send(service, pageOf(service), { ...fields, ...GRACE });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('That day is fully booked now');
    expect(refused.text).toContain('Next free times');
    const next = [...refused.text.matchAll(/type="radio" name="start" value="(\d+)"/g)];
    const tomorrow = startTime + 86_400_000;
    expect(next.slice(0, 3).map(([, start]) => Number(start))).toEqual(
      [0, 1, 2].map((n) => tomorrow + n * 1_800_000),
    );
    const done = await send(service, pageOf(service), {
      ...fields,
      ...GRACE,
      start: String(tomorrow),
    });
    expect(done.status).toBe(303);
    expect(await service.eventNames()).toEqual(['contact.created', 'appointment.booked']);
  });

  test.for([
    ['en', 'You already have an appointment at that time', 'Next free times'],
    ['de', 'Sie haben zu dieser Zeit bereits einen Termin', 'Nächste freie Zeiten'],
    ['fr', 'Vous avez déjà un rendez-vous à cette heure', 'Prochains horaires libres'],
    ['es', 'Ya tiene una cita a esa hora', 'Próximas horas libres'],
  ] as const)(
    'says in %s that the visitor has that appointment',
    async ([locale, text, next], { service }) => {
      const pair = { ...DAYTIME, type: 'round-robin', members: ['anna', 'ben'] };
      const { typeId } = await calendarOf(service, pair);
      await apply(service, { subAccount: { locale } });
      const startTime = at(service, 1, '09:00');
      const fields = await openForm(service, startTime);
      await bookedOf(service, bookingOf(typeId, startTime, { email: GRACE.email }));
      const refused = await send(service, pageOf(service), { ...fields, ...GRACE });
      expect(refused.status).toBe(400);
      expect(refused.text).toContain(text);
      expect(refused.text).toContain(next);
      // Another member is free then, but not for this visitor.
      expect(refused.text).not.toContain(`name="start" value="${startTime}"`);
      expect(refused.text).toContain(`name="start" value="${startTime + 1_800_000}"`);
      expect(await service.events()).toEqual([]);
    },
  );

  test.for([
    ['Europe/Berlin', 'en', 'Europe/Paris', 'DE'],
    ['UTC', 'en', 'Europe/Berlin', 'DE'],
    ['UTC', 'en-GB', 'Europe/Berlin', 'GB'],
    ['UTC', 'de', 'UTC', 'DE'],
    ['UTC', 'en', 'UTC', 'US'],
  ] as const)(
    'of %s and %s, for a visitor in %s, begins with the country %s',
    async ([timezone, locale, zone, country], { service }) => {
      await apply(service, `subAccount: {timezone: ${timezone}, locale: ${locale}}`);
      await calendarOf(service);
      const start = at(service, 1, '09:00');
      const { text } = await open(service, `${pageOf(service)}?tz=${zone}&start=${start}`);
      expect(text).toMatch(new RegExp(`<option value="${country}" selected>`));
    },
  );

  test('links to the next free times if the time of a link is taken', async ({ service }) => {
    const { typeId } = await calendarOf(service, DAYTIME);
    const startTime = at(service, 1, '09:00');
    await bookedOf(service, bookingOf(typeId, startTime));
    const iso = encodeURIComponent(new Date(startTime).toISOString());
    for (const start of [startTime, iso]) {
      const { text } = await open(service, `${pageOf(service)}?tz=UTC&start=${start}`);
      const [, next = ''] =
        /<nav class="next"[^]*?<h2[^>]*>Next free times([^]*?)<\/nav>/.exec(text) ?? [];
      expect([...next.matchAll(/start=(\d+)/g)].map(([, one]) => Number(one))).toEqual(
        [1, 2, 3].map((n) => startTime + n * 1_800_000),
      );
    }
  });

  test.for([
    ['a body that is not a form', 'application/json', '{}', 415],
    ['an unknown field', 'application/x-www-form-urlencoded', 'role=admin', 400],
    ['a field twice', 'application/x-www-form-urlencoded', 'start=1&start=2', 400],
    ['half a character', 'application/x-www-form-urlencoded', 'firstName=%C3%28%00', 400],
    ['nothing', 'application/x-www-form-urlencoded', '', 400],
    [
      'a body that is too large',
      'application/x-www-form-urlencoded',
      `notes=${'x'.repeat(2 ** 20)}`,
      413,
    ],
  ] as const)('that is %s is refused by a page', async ([, type, body, status], { service }) => {
    await calendarOf(service);
    await service.events();
    const headers = { 'content-type': type };
    const answer = await open(service, pageOf(service), { method: 'POST', body, headers });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      status,
      'text/html; charset=utf-8',
    ]);
    expect(await service.events()).toEqual([]);
  });
});

const DAYTIME = {
  hours: Object.fromEntries(
    ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, ['09:00-11:00']]),
  ),
};
