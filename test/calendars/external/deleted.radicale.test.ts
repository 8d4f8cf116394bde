import { describe, expect, test, vi } from 'vitest';
import { noon } from '../../booking/notices/notices.support.ts';
import { ANNA } from '../../support/calendars.ts';
import { WAIT } from '../../support/deliveries.ts';
import { askAgain, moved, settled, startDesk, statusOf } from './caldav.support.ts';

describe('a member with a CalDAV calendar', () => {
  test('who deletes the event keeps the booking, and gets a new event when it moves', async () => {
    const desk = await startDesk();
    const id = await desk.book(desk.typeId, noon(3));
    await settled(desk);
    await desk.radicale.remove(`${id}.ics`);
    await askAgain(desk);
    await askAgain(desk);
    expect(await statusOf(desk, id)).toEqual({ status: 'scheduled', reason: null });
    expect(await desk.radicale.names()).toEqual([]);
    await moved(desk, id, noon(4));
    await settled(desk);
    expect(await desk.radicale.names()).toEqual([`${id}.ics`]);
  });

  test('who deletes the event cancels the booking if the manifest says so', async () => {
    const desk = await startDesk({ deletedOutside: 'cancel' });
    const [kept, gone] = [
      await desk.book(desk.typeId, noon(3)),
      await desk.book(desk.typeId, noon(4)),
    ];
    await settled(desk);
    await desk.radicale.remove(`${gone}.ics`);
    await askAgain(desk);
    expect(await statusOf(desk, kept)).toEqual({ status: 'scheduled', reason: null });
    expect(await statusOf(desk, gone)).toEqual({
      status: 'cancelled',
      reason: 'deleted in the external calendar',
    });
    const events = await desk.database.rows<{ data: any }>(
      `select data from (select name, data from outbox union all select name, data from events) as f
       where name = 'appointment.cancelled'`,
      [],
    );
    expect(events).toMatchObject([{ data: { appointmentId: gone } }]);
  });

  test('whose server is down, or refuses the password, cancels nothing', async () => {
    const desk = await startDesk({ deletedOutside: 'cancel' });
    const id = await desk.book(desk.typeId, noon(3));
    await settled(desk);
    await desk.radicale.stop();
    await askAgain(desk);
    await desk.radicale.start();
    const wrong = { ...desk.radicale.account, password: 'wrong', deletedOutside: 'cancel' };
    await desk.calendar({}, { ...ANNA, externalCalendar: wrong });
    await vi.waitFor(async () => {
      const rows = await desk.database.rows('select last_error from external_busy', []);
      expect(rows).toEqual([{ last_error: 'it returned 401' }]);
    }, WAIT);
    expect(await statusOf(desk, id)).toMatchObject({ status: 'scheduled' });
  });
});
