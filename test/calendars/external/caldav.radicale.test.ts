import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { deleteContact } from '../../../src/contacts/delete-contact.ts';
import { noon } from '../../booking/notices/notices.support.ts';
import { ANNA, BEN, CHECKUP } from '../../support/calendars.ts';
import { WAIT } from '../../support/deliveries.ts';
import { calendarOf, during } from '../../support/ics-server.ts';
import { startRadicale } from '../../support/radicale.ts';
import { OPERATOR } from '../../support/service.ts';
import {
  HALF_HOUR_MS,
  askAgain,
  cancelled,
  moved,
  refusal,
  settled,
  stamp,
  startDesk,
} from './caldav.support.ts';

describe('a member with a CalDAV calendar', () => {
  test('cannot be booked while busy there, series included', async () => {
    const desk = await startDesk();
    const start = noon(3);
    const weekly = ['RRULE:FREQ=WEEKLY;COUNT=3', ...during(start, start + HALF_HOUR_MS)];
    await desk.radicale.put('yoga.ics', calendarOf(weekly));
    await askAgain(desk);
    expect(await refusal(desk, start)).toBe('slot_unavailable');
    expect(await refusal(desk, start + 14 * 86_400_000)).toBe('slot_unavailable');
    expect(await refusal(desk, start + HALF_HOUR_MS)).toBe('booked');
    await desk.radicale.remove('yoga.ics');
    await askAgain(desk);
    expect(await refusal(desk, start)).toBe('booked');
  });

  test('gets an event for a booking; it moves and is deleted with the booking and is never a busy time', async () => {
    const desk = await startDesk();
    const id = await desk.book(desk.typeId, noon(3));
    await settled(desk);
    const name = `${id}.ics`;
    expect(await desk.radicale.names()).toEqual([name]);
    const event = await desk.radicale.read(name);
    expect(event).toContain(`UID:${id}@frontdesk`);
    expect(event).toContain(`DTSTART:${stamp(noon(3))}`);
    expect(event).toContain('SUMMARY:Check-up: Ada Lovelace');
    expect(event).not.toContain('ada@example.com');

    await askAgain(desk);
    const rows = await desk.database.rows<{ busy: string }>(
      'select busy::text from external_busy',
      [],
    );
    expect(rows).toEqual([{ busy: '{}' }]);

    await moved(desk, id, noon(4));
    await settled(desk);
    expect(await desk.radicale.names()).toEqual([name]);
    expect(await desk.radicale.read(name)).toContain(`DTSTART:${stamp(noon(4))}`);
    await askAgain(desk);
    expect(await refusal(desk, noon(3))).toBe('booked');

    await cancelled(desk, id);
    await settled(desk);
    expect(await desk.radicale.names()).not.toContain(name);
  });

  test('gets the event after the server was down, and only once after a worker was killed', async () => {
    const desk = await startDesk();
    await desk.radicale.stop();
    const id = await desk.book(desk.typeId, noon(3));
    const failing = async () =>
      desk.database.rows(
        `select 1 from graphile_worker._private_jobs where last_error is not null and locked_at is null`,
        [],
      );
    await vi.waitFor(async () => expect(await failing()).toHaveLength(1), WAIT);
    await desk.radicale.start();
    await desk.hurry();
    await settled(desk);
    expect(await desk.radicale.names()).toEqual([`${id}.ics`]);

    // As if the worker had been killed after it wrote the event and before it recorded that.
    await desk.database.rows('delete from external_holds', []);
    await desk.database.rows(`select graphile_worker.add_job('booking/hold', $1::json)`, [
      JSON.stringify({ subAccountId: desk.subAccountId, appointmentId: id }),
    ]);
    await settled(desk);
    expect(await desk.radicale.names()).toEqual([`${id}.ics`]);
    await cancelled(desk, id);
    await settled(desk);
    expect(await desk.radicale.names()).toEqual([]);
  });

  test('who changed the event still gets it moved', async () => {
    const desk = await startDesk();
    const id = await desk.book(desk.typeId, noon(3));
    await settled(desk);
    const name = `${id}.ics`;
    const event = (await desk.radicale.read(name)) ?? '';
    await desk.radicale.put(name, event.replace('SUMMARY:', 'SUMMARY:! '));
    await moved(desk, id, noon(4));
    await settled(desk);
    expect(await desk.radicale.read(name)).toContain(`DTSTART:${stamp(noon(4))}`);
  });

  test('who gets another calendar gets the upcoming appointments in it', async () => {
    const desk = await startDesk();
    const id = await desk.book(desk.typeId, noon(3));
    await settled(desk);
    const other = await startRadicale();
    onTestFinished(other.close);
    await desk.calendar(
      {},
      {
        ...ANNA,
        externalCalendar: { ...other.account, url: other.account.url.replace(/\/$/, '') },
      },
    );
    await settled(desk);
    expect(await other.names()).toEqual([`${id}.ics`]);
  });

  test('gets the appointments of a collective calendar, like all its members', async () => {
    const desk = await startDesk();
    const other = await startRadicale();
    onTestFinished(other.close);
    const { typeId } = desk;
    const team = [
      { ...ANNA, externalCalendar: desk.radicale.account },
      { ...BEN, externalCalendar: other.account },
    ];
    await desk.manifest({
      team,
      calendars: [{ ...CHECKUP, type: 'collective', members: ['anna', 'ben'] }],
    });
    await settled(desk);
    const id = await desk.book(typeId, noon(3));
    await settled(desk);
    expect([await desk.radicale.names(), await other.names()]).toEqual([
      [`${id}.ics`],
      [`${id}.ics`],
    ]);
    const contacts = await desk.database.rows<{ id: string }>('select id from contacts', []);
    await desk.transact(desk.subAccountId, OPERATOR, (work) =>
      deleteContact(work, contacts[0]?.id ?? ''),
    );
    await settled(desk);
    expect([await desk.radicale.names(), await other.names()]).toEqual([[], []]);
  });

  test('with a URL that is not a CalDAV calendar gets this as its error', async () => {
    const desk = await startDesk();
    const { account } = desk.radicale;
    const url = new URL('/.web/', account.url).href;
    await desk.calendar({}, { ...ANNA, externalCalendar: { ...account, url } });
    await settled(desk);
    const [row] = await desk.database.rows<{ error: string }>(
      'select last_error as error from external_busy',
      [],
    );
    expect(row?.error).toMatch(/^it (returned \d+|is not a CalDAV calendar)$/);
  });
});
