import type { Reply } from '#core/endpoint/reply.ts';
import { invalidField, notFound } from '#core/fault.ts';
import type { Secrets } from '#core/secrets.ts';
import type { Work } from '#core/work.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import { findOffer } from '../../../calendars/find-offer.ts';
import type { CustomerAppointment } from '../../verified/customer-appointment.ts';
import {
  cancelForCustomer,
  lockForCustomer,
  moveForCustomer,
} from '../../verified/customer-changes.ts';
import { hostOf } from '../../public/public-host.ts';
import { hrefTo, startOf } from '../choice.ts';
import { managedBy } from './managed.ts';
import { redirectTo } from '../redirect-to.ts';

interface SubmittedChange<F> {
  readonly secrets: Secrets;
  readonly token: string;
  readonly form: F;
}

/** Cancels for whoever has the link; a second time it leads to the same page. */
export async function submitCancel(
  work: Work,
  { secrets, token, form }: SubmittedChange<{ readonly tz?: string; readonly reason?: string }>,
): Promise<Reply> {
  const held = await lockManaged(work, secrets, token);
  await cancelForCustomer(work, held, form.reason?.trim() || null);
  return redirectTo(hrefTo(`/book/manage/${token}`, { tz: form.tz ?? '' }));
}

/** Moves for whoever has the link: a slot of its type, or the appointment's own length where that changed. */
export async function submitMove(
  work: Work,
  { secrets, token, form }: SubmittedChange<{ readonly tz?: string; readonly start?: string }>,
): Promise<Reply> {
  const held = await lockManaged(work, secrets, token);
  const startTime = startOf(form.start);
  if (startTime === undefined) {
    throw invalidField('/start', 'is required', { reason: 'slot_unavailable' });
  }
  const offer = await findOffer(work, held.appointmentTypeId);
  const length = offer ? offer.type.duration * MINUTE_MS : held.endTime - held.startTime;
  if (startTime !== held.startTime) {
    await moveForCustomer(work, held, { startTime, endTime: startTime + length });
  }
  return redirectTo(hrefTo(`/book/manage/${token}`, { tz: form.tz ?? '' }, { done: 'moved' }));
}

async function lockManaged(
  work: Work,
  secrets: Secrets,
  token: string,
): Promise<CustomerAppointment> {
  await hostOf(work);
  const { appointmentId } = managedBy(secrets, token);
  const held = await lockForCustomer(work, { appointmentId });
  if (!held) {
    throw notFound('appointment');
  }
  return held;
}
