import { describe, expect, test } from 'vitest';
import {
  cancelAppointment,
  moveAppointment,
} from '../../../src/booking/appointments/change-appointment.ts';
import { OPERATOR } from '../../support/service.ts';
import { noon, startNoticing, type Noticing } from './notices.support.ts';

const HOUR_MS = 3_600_000;
const DAY_MINUTES = 1_440;

const reminder = (before: number, body = `${before} minutes`) => ({
  before,
  channel: 'email',
  subject: 'Soon',
  body,
});

/** When reminders are due, earliest first. */
const dueAt = async ({ database }: Noticing): Promise<number[]> => {
  const rows = await database.rows<{ at: Date }>(
    `select run_at as at from graphile_worker._private_jobs j
     join graphile_worker._private_tasks t on t.id = j.task_id
     where t.identifier = 'booking/remind' order by 1`,
    [],
  );
  return rows.map(({ at }) => at.getTime());
};

const move = (desk: Noticing, id: string, startTime: number) =>
  desk.transact(desk.subAccountId, OPERATOR, (work) =>
    moveAppointment(work, id, { startTime, endTime: startTime + HOUR_MS / 2 }),
  );

const bodies = (written: readonly { bodyText: string }[]) =>
  written.map(({ bodyText }) => bodyText).sort();

describe('reminders', () => {
  test('are queued for their time before the start, unless they are already due', async () => {
    const desk = await startNoticing();
    const typeId = await desk.calendar({
      reminders: [reminder(60), reminder(DAY_MINUTES), reminder(30 * DAY_MINUTES)],
    });
    const start = noon(3);
    await desk.book(typeId, start);
    expect(await dueAt(desk)).toEqual([start - 24 * HOUR_MS, start - HOUR_MS]);
    await desk.startWorker();
    expect(await desk.settledAt(0)).toEqual([]);
  });

  test("are sent when due, once each, with the appointment's merge fields", async () => {
    const desk = await startNoticing();
    const body = 'Dear {{firstName}}, {{appointment.title}}: {{appointment.link}}';
    const typeId = await desk.calendar({ reminders: [reminder(60), reminder(DAY_MINUTES, body)] });
    await desk.book(typeId, noon(3));
    await desk.startWorker();
    await desk.hurry();
    const written = await desk.settledAt(2);
    expect(bodies(written)).toEqual([
      '60 minutes',
      expect.stringMatching(/^Dear Ada, Check-up: https:\/\/desk\.example\/book\/manage\//),
    ]);
    expect(written.map(({ attachment }) => attachment)).toEqual([null, null]);
    expect((await desk.fired()).map(({ name }) => name)).toEqual(['message.sent', 'message.sent']);
  });

  test('are not sent after the appointment is cancelled', async () => {
    const desk = await startNoticing();
    const typeId = await desk.calendar({ reminders: [reminder(60)] });
    const id = await desk.book(typeId, noon(3));
    await desk.transact(desk.subAccountId, OPERATOR, (work) => cancelAppointment(work, id, null));
    await desk.startWorker();
    await desk.hurry();
    expect(await desk.settledAt(0)).toEqual([]);
  });

  test('move with the appointment, and are sent again for another start', async () => {
    const desk = await startNoticing();
    const typeId = await desk.calendar({
      reminders: [reminder(60, 'Come {{appointment.start}}')],
    });
    const id = await desk.book(typeId, noon(3));
    await desk.startWorker();
    await move(desk, id, noon(4));
    expect(await dueAt(desk)).toEqual([noon(4) - HOUR_MS]);
    await desk.hurry();
    await desk.settledAt(1);
    await move(desk, id, noon(5));
    await desk.hurry();
    expect(await desk.settledAt(2)).toHaveLength(2);
    await move(desk, id, noon(4));
    await desk.hurry();
    expect(await desk.settledAt(2)).toHaveLength(2);
  });

  test('that are due already at the new start are not sent', async () => {
    const desk = await startNoticing();
    const typeId = await desk.calendar({ reminders: [reminder(5 * DAY_MINUTES)] });
    const id = await desk.book(typeId, noon(10));
    await move(desk, id, noon(3));
    await desk.startWorker();
    await desk.hurry();
    expect(await desk.settledAt(0)).toEqual([]);
  });

  test('of existing appointments follow changes of the calendar', async () => {
    const desk = await startNoticing();
    const typeId = await desk.calendar({ reminders: [reminder(60), reminder(120, 'old words')] });
    const start = noon(3);
    await desk.book(typeId, start);
    await desk.startWorker();
    await desk.calendar({ reminders: [reminder(120, 'new words'), reminder(180)] });
    await expect
      .poll(() => dueAt(desk), { timeout: 60_000 })
      .toEqual([3, 2, 1].map((hours) => start - hours * HOUR_MS));
    await desk.hurry();
    // The reminder an hour before was removed.
    expect(bodies(await desk.settledAt(2))).toEqual(['180 minutes', 'new words']);
  });

  test('of one calendar differ in time or channel', async () => {
    const desk = await startNoticing();
    await expect(desk.calendar({ reminders: [reminder(60), reminder(60)] })).rejects.toThrow(
      'repeats the time and channel of entry 0',
    );
  });

  test('by sms have no subject, and are not sent without a provider', async () => {
    const desk = await startNoticing();
    const typeId = await desk.calendar({
      reminders: [{ before: 60, channel: 'sms', body: 'Soon' }, reminder(60)],
    });
    await desk.book(typeId, noon(3));
    await desk.startWorker();
    await desk.hurry();
    expect(await desk.settledAt(1)).toMatchObject([{ channel: 'email' }]);
  });
});
