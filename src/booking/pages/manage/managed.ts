import type { Document, Reply } from '#core/endpoint/reply.ts';
import { notFound, orNotFound, invalidField } from '#core/fault.ts';
import type { Secrets } from '#core/secrets.ts';
import type { View, Work } from '#core/work.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import { findOffer, type Offer } from '../../../calendars/offers.ts';
import { limitMoves } from '../../appointments/visitor-limits.ts';
import { ICS_TYPE } from '../../feeds/appointment-ics.ts';
import { customerCalendar } from '../../feeds/customer-calendar.ts';
import { hostOf, type Host, publicOffers, pathNameOf } from '../../public/public-offers.ts';
import {
  readCustomerAppointment,
  type CustomerAppointment,
  cancelForCustomer,
  lockForCustomer,
  moveForCustomer,
} from '../../verified/customer-appointment.ts';
import { hrefTo, startOf, type Choice } from '../choice.ts';
import {
  PAGE_HEADERS,
  languageOf,
  type BookingLanguage,
  redirectTo,
  withClock,
} from '../layout.ts';
import { readManageToken, type Managed } from './manage-link.ts';

/** Returns the appointment that a token opens. Throws NOT_FOUND unless this installation signed it. */
export function managedBy(secrets: Secrets, token: string): Managed {
  return orNotFound(readManageToken(secrets, token), 'appointment');
}

/** The data of the pages behind a manage link. They reveal nothing about the contact. */
export interface ManagedContext {
  readonly host: Host;
  readonly language: BookingLanguage;
  readonly path: string;
  readonly appointment: CustomerAppointment;
  readonly what: string;
  /** Undefined if the type was removed. */
  readonly offer: Offer | undefined;
}

export async function managedContext(
  view: View,
  secrets: Secrets,
  token: string,
  clock?: string,
): Promise<ManagedContext> {
  const host = await hostOf(view);
  const { appointmentId } = managedBy(secrets, token);
  const appointment = await readCustomerAppointment(view, appointmentId);
  if (!appointment) {
    throw notFound('appointment');
  }
  const language = withClock(languageOf(host.locale, host.languages), clock);
  return {
    host,
    language,
    path: `/book/manage/${token}`,
    appointment,
    what: appointment.title ?? appointment.typeName ?? language.messages.yours,
    offer: await findOffer(view, appointment.appointmentTypeId),
  };
}

/** Returns the page where the same type can be booked again, if it is still offered. */
export async function bookingPathOf(
  view: View,
  { offer }: ManagedContext,
): Promise<string | undefined> {
  const offers = await publicOffers(view);
  return offer?.type.isActive
    ? `/book/${view.subAccountId}/${pathNameOf(offers, offer)}`
    : undefined;
}

interface ManagedIcsQuery {
  readonly secrets: Secrets;
  readonly token: string;
  readonly baseUrl: string;
}

/** Returns the appointment as a file for the customer's own calendar. */
export async function managedIcs(
  view: View,
  { secrets, token, baseUrl }: ManagedIcsQuery,
): Promise<Document> {
  const { appointment, path } = await managedContext(view, secrets, token);
  const url = baseUrl + path;
  const body = await customerCalendar(view, { appointmentIds: [appointment.id], url });
  const headers = {
    ...PAGE_HEADERS,
    'content-disposition': 'attachment; filename="appointment.ics"',
  };
  return { type: ICS_TYPE, body, headers };
}

interface SubmittedChange<F> {
  readonly secrets: Secrets;
  readonly token: string;
  readonly form: F;
}

/** How the visitor reads times, which every form passes on. */
interface ChangeForm {
  readonly tz?: string;
  readonly clock?: string;
}

export const keptChoice = ({ tz = '', clock = '' }: ChangeForm): Choice => ({ tz, clock });

/** Cancels the appointment of a link. A second request redirects to the same page. */
export async function submitCancel(
  work: Work,
  { secrets, token, form }: SubmittedChange<ChangeForm & { readonly reason?: string }>,
): Promise<Reply> {
  const locked = await lockManaged(work, secrets, token);
  await cancelForCustomer(work, locked, form.reason?.trim() || null);
  return redirectTo(hrefTo(`/book/manage/${token}`, keptChoice(form)));
}

/** Moves the appointment of a link. The new slot is as long as its type, or as the appointment if the type was removed. */
export async function submitMove(
  work: Work,
  { secrets, token, form }: SubmittedChange<ChangeForm & { readonly start?: string }>,
): Promise<Reply> {
  const locked = await lockManaged(work, secrets, token);
  const startTime = startOf(form.start);
  if (startTime === undefined) {
    throw invalidField('/start', 'is required', { reason: 'slot_unavailable' });
  }
  const offer = await findOffer(work, locked.appointmentTypeId);
  const length = offer ? offer.type.duration * MINUTE_MS : locked.endTime - locked.startTime;
  if (startTime !== locked.startTime) {
    await limitMoves(work, locked.id);
    await moveForCustomer(work, locked, { startTime, endTime: startTime + length });
  }
  return redirectTo(hrefTo(`/book/manage/${token}`, keptChoice(form), { done: 'moved' }));
}

async function lockManaged(
  work: Work,
  secrets: Secrets,
  token: string,
): Promise<CustomerAppointment> {
  await hostOf(work);
  const { appointmentId } = managedBy(secrets, token);
  return orNotFound(await lockForCustomer(work, { appointmentId }), 'appointment');
}
