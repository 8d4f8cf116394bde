import { onTestFinished } from 'vitest';
import {
  cancelAppointment,
  moveAppointment,
} from '../../../src/booking/appointments/change-appointment.ts';
import { startNoticing, type Noticing } from '../../booking/notices/notices.support.ts';
import { ANNA } from '../../support/calendars.ts';
import { startRadicale, type Radicale } from '../../support/radicale.ts';
import { OPERATOR } from '../../support/service.ts';

export const HALF_HOUR_MS = 1_800_000;

interface Desk extends Noticing {
  readonly radicale: Radicale;
  readonly typeId: string;
}

/** A sub-account where Anna has a calendar on a CalDAV server, with a worker. */
export async function startDesk(more: object = {}): Promise<Desk> {
  const radicale = await startRadicale();
  onTestFinished(radicale.close);
  const desk = await startNoticing();
  const typeId = await desk.calendar(
    {},
    { ...ANNA, externalCalendar: { ...radicale.account, ...more } },
  );
  await desk.startWorker();
  await desk.settledAt(0);
  return { ...desk, radicale, typeId };
}

export const stamp = (at: number) => new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, '');

export const settled = ({ settledAt }: Desk) => settledAt(0);

export async function askAgain(desk: Desk): Promise<void> {
  await desk.database.rows(`select graphile_worker.add_job('calendars/ask-all-external')`, []);
  await settled(desk);
}

export const refusal = (desk: Desk, startTime: number) =>
  desk.book(desk.typeId, startTime).then(
    () => 'booked',
    (error: { details?: { reason?: string } }) => error.details?.reason,
  );

export const statusOf = async ({ database }: Desk, id: string) => {
  const [row] = await database.rows<{ status: string; reason: string | null }>(
    'select status, cancel_reason as reason from appointments where id = $1',
    [id],
  );
  return row;
};

export const cancelled = ({ transact, subAccountId }: Desk, id: string) =>
  transact(subAccountId, OPERATOR, (work) => cancelAppointment(work, id, null));

export const moved = ({ transact, subAccountId }: Desk, id: string, startTime: number) =>
  transact(subAccountId, OPERATOR, (work) =>
    moveAppointment(work, id, { startTime, endTime: startTime + HALF_HOUR_MS }),
  );
