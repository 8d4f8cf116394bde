import type { Reply } from '#core/endpoint/reply.ts';
import { invalidField, notFound } from '#core/fault.ts';
import type { Secrets } from '#core/secrets.ts';
import type { Work } from '#core/work.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import { findOffer } from '../../../calendars/find-offer.ts';
import {
  type CustomerAppointment,
  cancelForCustomer,
  lockForCustomer,
  moveForCustomer,
} from '../../verified/customer-appointment.ts';
import { hostOf } from '../../public/public-offers.ts';
import { hrefTo, startOf } from '../choice.ts';
import { managedBy } from './managed.ts';
import { redirectTo } from '../layout.ts';

interface SubmittedChange<F> {
  readonly secrets: Secrets;
  readonly token: string;
  readonly form: F;
}

/** Cancels the appointment of a link. A second request redirects to the same page. */
export async function submitCancel(
  work: Work,
  { secrets, token, form }: SubmittedChange<{ readonly tz?: string; readonly reason?: string }>,
): Promise<Reply> {
  const locked = await lockManaged(work, secrets, token);
  await cancelForCustomer(work, locked, form.reason?.trim() || null);
  return redirectTo(hrefTo(`/book/manage/${token}`, { tz: form.tz ?? '' }));
}

/** Moves the appointment of a link. The new slot is as long as its type, or as the appointment if the type was removed. */
export async function submitMove(
  work: Work,
  { secrets, token, form }: SubmittedChange<{ readonly tz?: string; readonly start?: string }>,
): Promise<Reply> {
  const locked = await lockManaged(work, secrets, token);
  const startTime = startOf(form.start);
  if (startTime === undefined) {
    throw invalidField('/start', 'is required', { reason: 'slot_unavailable' });
  }
  const offer = await findOffer(work, locked.appointmentTypeId);
  const length = offer ? offer.type.duration * MINUTE_MS : locked.endTime - locked.startTime;
  if (startTime !== locked.startTime) {
    await moveForCustomer(work, locked, { startTime, endTime: startTime + length });
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
  const locked = await lockForCustomer(work, { appointmentId });
  if (!locked) {
    throw notFound('appointment');
  }
  return locked;
}
