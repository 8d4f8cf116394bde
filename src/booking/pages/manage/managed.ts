import type { Document } from '#core/endpoint/reply.ts';
import { notFound } from '#core/fault.ts';
import type { Secrets } from '#core/secrets.ts';
import type { View } from '#core/work.ts';
import { findOffer, type Offer } from '../../../calendars/find-offer.ts';
import { customerIcs, ICS_TYPE } from '../../feeds/appointment-ics.ts';
import { hostOf, type Host, publicOffers, pathNameOf } from '../../public/public-offers.ts';
import {
  readCustomerAppointment,
  type CustomerAppointment,
} from '../../verified/customer-appointment.ts';
import { PAGE_HEADERS } from '../layout.ts';
import { languageOf, type BookingLanguage } from '../messages/language.ts';
import { readManageToken, type Managed } from './manage-link.ts';

/** Returns the appointment that a token opens. Throws NOT_FOUND unless this installation signed it. */
export function managedBy(secrets: Secrets, token: string): Managed {
  const managed = readManageToken(secrets, token);
  if (!managed) {
    throw notFound('appointment');
  }
  return managed;
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
): Promise<ManagedContext> {
  const host = await hostOf(view);
  const { appointmentId } = managedBy(secrets, token);
  const appointment = await readCustomerAppointment(view, appointmentId);
  if (!appointment) {
    throw notFound('appointment');
  }
  const language = languageOf(host.locale);
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
  const { appointment, host, what, path } = await managedContext(view, secrets, token);
  const { id, startTime, endTime, status, createdAt, updatedAt } = appointment;
  const body = await customerIcs([
    {
      id,
      title: what,
      start: new Date(startTime),
      end: new Date(endTime),
      isCancelled: status === 'cancelled',
      createdAt: new Date(createdAt),
      updatedAt: new Date(updatedAt),
      url: baseUrl.replace(/\/$/, '') + path,
      host: host.brand,
    },
  ]);
  const headers = {
    ...PAGE_HEADERS,
    'content-disposition': 'attachment; filename="appointment.ics"',
  };
  return { type: ICS_TYPE, body, headers };
}
