import { notFound } from '#core/fault.ts';
import type { Secrets } from '#core/secrets.ts';
import type { View } from '#core/work.ts';
import { findOffer, type Offer } from '../../../calendars/find-offer.ts';
import {
  readCustomerAppointment,
  type CustomerAppointment,
} from '../../verified/customer-appointment.ts';
import { readManageToken, type Managed } from './manage-link.ts';
import { hostOf, type Host } from '../../public/public-host.ts';
import { offeredTo, pathNameOf } from '../../public/public-offers.ts';
import { localeOf, type Locale } from '../messages/locale.ts';

/** What a link was made for; NOT_FOUND where nobody here made it. */
export function managedBy(secrets: Secrets, token: string): Managed {
  const managed = readManageToken(secrets, token);
  if (!managed) {
    throw notFound('appointment');
  }
  return managed;
}

/** An appointment on the page of whoever has its link. Nothing of its contact is shown there. */
export interface ManagedStage {
  readonly host: Host;
  readonly pageLocale: Locale;
  readonly path: string;
  readonly appointment: CustomerAppointment;
  readonly what: string;
  /** Its type, unless that is gone. */
  readonly offer: Offer | undefined;
}

export async function managedStage(
  view: View,
  secrets: Secrets,
  token: string,
): Promise<ManagedStage> {
  const host = await hostOf(view);
  const { appointmentId } = managedBy(secrets, token);
  const appointment = await readCustomerAppointment(view, appointmentId);
  if (!appointment) {
    throw notFound('appointment');
  }
  const pageLocale = localeOf(host.locale);
  return {
    host,
    pageLocale,
    path: `/book/manage/${token}`,
    appointment,
    what: appointment.title ?? appointment.typeName ?? pageLocale.words.yours,
    offer: await findOffer(view, appointment.appointmentTypeId),
  };
}

/** Where the same can be booked again, if it can. */
export async function bookingPathOf(
  view: View,
  { offer }: ManagedStage,
): Promise<string | undefined> {
  const offers = await offeredTo(view);
  return offer?.type.isActive
    ? `/book/${view.subAccountId}/${pathNameOf(offers, offer)}`
    : undefined;
}
