import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { exportManifest } from '../../../src/manifest/export-manifest.ts';
import { sections } from '#registry/sections.ts';
import { noon, startNoticing, type Noticing } from '../../booking/notices/notices.support.ts';
import { ANNA } from '../../support/calendars.ts';
import { WAIT } from '../../support/deliveries.ts';
import { during, startIcsServer, type IcsServer } from '../../support/ics-server.ts';
import { OPERATOR } from '../../support/service.ts';

const HALF_HOUR_MS = 1_800_000;

async function publisher(): Promise<IcsServer> {
  const server = await startIcsServer();
  onTestFinished(server.close);
  return server;
}

const annaAt = (url: string, more: object = {}) => ({
  ...ANNA,
  externalCalendar: { type: 'ics', url, ...more },
});

interface ExternalIcsRow {
  readonly busy: string;
  readonly answered: boolean;
  readonly error: string | null;
}

const known = async ({ database }: Noticing): Promise<ExternalIcsRow | undefined> => {
  const [row] = await database.rows<ExternalIcsRow>(
    `select busy::text, answered_at is not null as answered, last_error as error from external_busy`,
    [],
  );
  return row;
};

/** Adds a member with that many busy times, a minute each. */
const BEN_WITH_TIMES = `
  with ben as (
    insert into team_members select (jsonb_populate_record(m, jsonb_build_object(
      'id', gen_random_uuid(), 'key', 'ben', 'external_calendar', null))).*
    from team_members m where key = 'anna' returning sub_account_id, id
  )
  insert into external_busy (sub_account_id, member_id, busy)
  select sub_account_id, id, (
    select range_agg(tstzrange(t, t + interval '1 min'))
    from generate_series(1, $1::int) n, lateral (select now() + n * interval '2 min' as t)
  ) from ben`;

const ERRORS = 'select last_error as error from external_busy where last_error is not null';

/** Fetches every external calendar again and waits for the result. */
async function askAgain({ database, settledAt }: Noticing): Promise<void> {
  await database.rows(`select graphile_worker.add_job('calendars/ask-all-external')`, []);
  await settledAt(0);
}

const refusal = (desk: Noticing, typeId: string, startTime: number) =>
  desk.book(typeId, startTime).then(
    () => 'booked',
    (error: { details?: { reason?: string } }) => error.details?.reason,
  );

describe('a member with an ICS calendar', () => {
  test('is told in few words why a calendar cannot be read, whatever it contains', async () => {
    const desk = await startNoticing();
    const ics = await publisher();
    await desk.calendar({}, annaAt(ics.url));
    const line = `DTSTART;A="a\0b${'c'.repeat(10_000)}`;
    ics.publish([line]);
    await desk.startWorker();
    const explained = { error: expect.stringMatching(/^it cannot be read: .*a bc+$/) };
    await vi.waitFor(async () => expect(await known(desk)).toMatchObject(explained), WAIT);
    expect((await known(desk))?.error).toHaveLength(500);
  });

  test('cannot be booked while busy there, and can be once free again', async () => {
    const desk = await startNoticing();
    const ics = await publisher();
    const start = noon(3);
    ics.publish(during(start + HALF_HOUR_MS / 2, start + HALF_HOUR_MS));
    const typeId = await desk.calendar({}, annaAt(ics.url));
    await desk.startWorker();
    await vi.waitFor(async () => expect(await known(desk)).toMatchObject({ answered: true }), WAIT);
    expect(await refusal(desk, typeId, start)).toBe('slot_unavailable');
    expect(await refusal(desk, typeId, start + HALF_HOUR_MS)).toBe('booked');

    ics.publish();
    await askAgain(desk);
    expect(await refusal(desk, typeId, start)).toBe('booked');
  });

  test('is busy at the events that can be read, with an error until all can be', async () => {
    const desk = await startNoticing();
    const ics = await publisher();
    const [fine, broken] = [during(noon(3), noon(3) + HALF_HOUR_MS), ['DTSTART:soon']];
    ics.publish(fine, broken);
    const typeId = await desk.calendar({}, annaAt(ics.url));
    await desk.startWorker();
    await desk.settledAt(0);
    const error = 'it has 1 event that cannot be read: DTSTART:soon';
    expect(await known(desk)).toMatchObject({ answered: true, error });
    expect(await refusal(desk, typeId, noon(3))).toBe('slot_unavailable');
    await askAgain(desk);
    expect(ics.asked.at(-1)?.headers['if-none-match']).toBe(undefined);
    expect(await known(desk)).toMatchObject({ answered: true, error });
    ics.publish(fine);
    await askAgain(desk);
    expect(await known(desk)).toMatchObject({ answered: true, error: null });
  });

  test('is fetched by ETag, and keeps its busy times if nothing changed', async () => {
    const desk = await startNoticing();
    const ics = await publisher();
    ics.publish(during(noon(3), noon(3) + HALF_HOUR_MS));
    await desk.calendar({}, annaAt(ics.url));
    await desk.startWorker();
    await desk.settledAt(0);
    const before = await known(desk);
    await askAgain(desk);
    expect(ics.asked.at(-1)?.headers['if-none-match']).toBe('"v2"');
    expect(await known(desk)).toEqual(before);
  });

  test.for<[string, IcsServer['answer'], RegExp]>([
    ['is down', (_, response) => response.destroy(), /closed|reset/],
    ['is gone', (_, response) => void response.writeHead(404).end(), /^it returned 404$/],
    ['is not a calendar', (_, response) => void response.end('<html>'), /it has no VCALENDAR$/],
    ['is empty', (_, response) => void response.end(), /^it cannot be read: it has no VCALENDAR$/],
    [
      'is incomplete',
      (_, response) => void response.end('BEGIN:VCALENDAR\r\nVERSION:2.0\r\n'),
      /^it cannot be read: it ends before END:VCALENDAR$/,
    ],
    [
      'is too large',
      (_, response) => void response.end('x'.repeat(6_000_000)),
      /^it is larger than 5 MB$/,
    ],
    [
      'redirects to a private address',
      (_, response) => void response.writeHead(302, { location: 'http://10.1.2.3/x' }).end(),
      /not public/,
    ],
    [
      'redirects to an invalid URL',
      (_, response) => void response.writeHead(302, { location: 'http://[\u009b2J' }).end(),
      /^it redirects to an invalid URL$/,
    ],
  ])('keeps its last busy times if it %s, and stores the error', async ([, answer, error]) => {
    const desk = await startNoticing();
    const ics = await publisher();
    ics.publish(during(noon(3), noon(3) + HALF_HOUR_MS));
    const typeId = await desk.calendar({}, annaAt(ics.url));
    await desk.startWorker();
    await desk.settledAt(0);
    ics.answer = answer;
    await askAgain(desk);
    const after = await known(desk);
    expect(after).toMatchObject({ answered: true });
    expect(after?.error).toMatch(error);
    expect(await refusal(desk, typeId, noon(3))).toBe('slot_unavailable');
    ics.publish();
    await askAgain(desk);
    expect(await known(desk)).toMatchObject({ error: null });
    expect(await refusal(desk, typeId, noon(3))).toBe('booked');
  });

  test('keeps its last busy times if the sub-account would have more than 200,000', async () => {
    const desk = await startNoticing();
    const ics = await publisher();
    ics.publish(during(noon(3), noon(3) + HALF_HOUR_MS));
    const typeId = await desk.calendar({}, annaAt(ics.url));
    await desk.startWorker();
    await desk.settledAt(0);
    await desk.database.rows(BEN_WITH_TIMES, [199_999]);
    ics.publish(during(noon(4), noon(4) + HALF_HOUR_MS), during(noon(5), noon(5) + HALF_HOUR_MS));
    await askAgain(desk);
    expect(await desk.database.rows(ERRORS, [])).toEqual([
      {
        error:
          'it has 2 busy times, and the other calendars of the sub-account 199999: more than 200000 together',
      },
    ]);
    expect(await refusal(desk, typeId, noon(3))).toBe('slot_unavailable');

    // Times that touch are one.
    ics.publish(
      during(noon(4), noon(4) + HALF_HOUR_MS),
      during(noon(4) + HALF_HOUR_MS, noon(4) + 2 * HALF_HOUR_MS),
    );
    await askAgain(desk);
    expect(await desk.database.rows(ERRORS, [])).toEqual([]);
    expect(await refusal(desk, typeId, noon(4) + HALF_HOUR_MS)).toBe('slot_unavailable');
    expect(await refusal(desk, typeId, noon(3))).toBe('booked');
  });

  test('follows redirects', async () => {
    const desk = await startNoticing();
    const [moved, ics] = [await publisher(), await publisher()];
    ics.publish(during(noon(3), noon(3) + HALF_HOUR_MS));
    moved.answer = (_, response) => void response.writeHead(301, { location: ics.url }).end();
    const typeId = await desk.calendar({}, annaAt(moved.url));
    await desk.startWorker();
    await desk.settledAt(0);
    expect(await refusal(desk, typeId, noon(3))).toBe('slot_unavailable');
  });

  test('is not fetched in a private network that the operator does not allow', async () => {
    const desk = await startNoticing({ FRONTDESK_OUTBOUND_ALLOW: '127.0.0.1/32' });
    const ics = await publisher();
    const elsewhere = ics.url.replace('127.0.0.1', '127.0.0.2');
    await desk.calendar({}, annaAt(elsewhere));
    await desk.startWorker();
    await desk.settledAt(0);
    expect(await known(desk)).toMatchObject({ error: expect.stringContaining('not public') });
    expect(ics.asked).toEqual([]);
  });

  test('loses its busy times once the manifest names another calendar, or none', async () => {
    const desk = await startNoticing();
    const [first, second] = [await publisher(), await publisher()];
    first.publish(during(noon(3), noon(3) + HALF_HOUR_MS));
    second.publish(during(noon(4), noon(4) + HALF_HOUR_MS));
    await desk.calendar({}, annaAt(first.url));
    await desk.startWorker();
    await desk.settledAt(0);
    const typeId = await desk.calendar({}, annaAt(second.url));
    await desk.settledAt(0);
    expect(await refusal(desk, typeId, noon(3))).toBe('booked');
    expect(await refusal(desk, typeId, noon(4))).toBe('slot_unavailable');
    await desk.calendar({});
    expect(await refusal(desk, typeId, noon(4))).toBe('booked');
  });
});

describe('externalCalendar in the manifest', () => {
  const CALDAV = { type: 'caldav', url: 'https://dav.example/anna/', user: 'anna', password: 'p' };

  test('is exported without its password, and applying that changes nothing', async () => {
    const desk = await startNoticing();
    await desk.manifest({ team: [{ ...ANNA, externalCalendar: CALDAV }] });
    const manifest: any = await desk.transact(desk.subAccountId, OPERATOR, (work) =>
      exportManifest(work, sections),
    );
    const { password: _, ...exportedCalendar } = CALDAV;
    const externalCalendar = { ...exportedCalendar, deletedOutside: 'keep' };
    expect(manifest.team).toEqual([{ ...ANNA, externalCalendar }]);
    const sealed = async () => desk.database.rows('select external_password from team_members', []);
    const before = await sealed();
    await desk.manifest(manifest);
    expect(await sealed()).toEqual(before);
    // Another account does not get the password of this one.
    await desk.manifest({
      team: [annaAt('https://other.example/', { ...exportedCalendar, url: 'https://o.example/' })],
    });
    expect(await sealed()).toEqual([{ external_password: null }]);
  });

  test.for<[object, string]>([
    [{ type: 'ics', url: 'https://a:b@x.example/' }, 'must not contain a user name'],
    [{ type: 'ics', url: 'https://x.example/', user: 'anna' }, 'is allowed for caldav only'],
    [{ type: 'caldav', url: 'https://x.example/' }, 'must have user'],
    [{ type: 'ics', url: 'ftp://x.example/' }, 'must be a URL'],
    [{ type: 'gcal', url: 'https://x.example/' }, 'caldav'],
  ])('is refused: %o', async ([externalCalendar, why]) => {
    const desk = await startNoticing();
    await expect(desk.manifest({ team: [{ ...ANNA, externalCalendar }] })).rejects.toThrow(why);
  });
});
