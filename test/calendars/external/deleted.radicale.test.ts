import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { syncAppointment } from '../../../src/booking/notices/booking.jobs.ts';
import type { ExternalSetup } from '../../../src/calendars/external/external-setup.ts';
import { reportLostEvent } from '../../../src/calendars/external/lost-events.ts';
import { noon } from '../../booking/notices/notices.support.ts';
import { ANNA } from '../../support/calendars.ts';
import { WAIT } from '../../support/deliveries.ts';
import { startRadicale } from '../../support/radicale.ts';
import { OPERATOR } from '../../support/service.ts';
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

  test('gets an event in a new calendar, also if a write to the former one ends late', async () => {
    const desk = await startDesk({ deletedOutside: 'cancel' });
    const id = await desk.book(desk.typeId, noon(3));
    await settled(desk);
    const next = await startRadicale();
    onTestFinished(next.close);
    const externalCalendar = { ...next.account, deletedOutside: 'cancel' };
    await desk.calendar({}, { ...ANNA, externalCalendar });
    await settled(desk);
    expect(await next.names()).toEqual([`${id}.ics`]);
    // What the late write records.
    await next.remove(`${id}.ics`);
    await desk.radicale.remove(`${id}.ics`);
    const late = `${desk.radicale.account.url}${id}.ics`;
    await desk.database.rows('update external_holds set url = $1', [late]);
    await askAgain(desk);
    expect(await statusOf(desk, id)).toMatchObject({ status: 'scheduled' });
    const payload = JSON.stringify({ subAccountId: desk.subAccountId, appointmentId: id });
    await desk.database.rows('select graphile_worker.add_job($1, $2::json)', [
      syncAppointment.name,
      payload,
    ]);
    await settled(desk);
    expect(await next.names()).toEqual([`${id}.ics`]);
  });

  test('whose event was written again after it was missed keeps the booking', async () => {
    const desk = await startDesk({ deletedOutside: 'cancel' });
    const id = await desk.book(desk.typeId, noon(3));
    await settled(desk);
    const [synced] = await desk.database.rows<{ memberId: string; url: string; writtenAt: Date }>(
      'select member_id as "memberId", url, written_at as "writtenAt" from external_holds',
    );
    const report = (writtenAt: number, url = synced?.url ?? '') =>
      desk.transact(desk.subAccountId, OPERATOR, (work) =>
        reportLostEvent(
          work,
          { memberId: synced?.memberId, deletedOutside: 'cancel' } as ExternalSetup,
          { appointmentId: id, url, writtenAt: new Date(writtenAt).toISOString() },
        ),
      );
    const writtenAt = synced?.writtenAt.getTime() ?? 0;
    await report(writtenAt - 1);
    await report(writtenAt, 'http://former.example/');
    await settled(desk);
    expect(await statusOf(desk, id)).toMatchObject({ status: 'scheduled' });
    await report(writtenAt);
    await settled(desk);
    expect(await statusOf(desk, id)).toMatchObject({ status: 'cancelled' });
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
