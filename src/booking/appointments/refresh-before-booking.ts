import type { PrepareContext } from '#core/endpoint/route.ts';
import { externalMembers } from '../../calendars/external/external-setup.ts';
import { findOffer, type Offer } from '../../calendars/offers.ts';
import { refreshExternal } from '../../calendars/external/refresh-external.ts';
import { findOfferOf } from './find-offer-of.ts';
import { findPublicOffer } from '../public/public-offers.ts';

/** Refreshes the members' external busy times before a booking's transaction begins (contract 7). */
export async function prepareBooking(
  call: PrepareContext & { readonly body: { readonly appointmentTypeId: string } },
): Promise<void> {
  await prepareMembersOf(call, await findOffer(call.view, call.body.appointmentTypeId));
}

/** The same for a type named in a path by slug or id. */
export async function prepareOffer(call: PrepareContext, name: string): Promise<void> {
  await prepareMembersOf(call, await findPublicOffer(call.view, name));
}

/** The same before a move. An unknown appointment refreshes nothing. */
export async function prepareMove(call: PrepareContext, appointmentId: string): Promise<void> {
  await prepareMembersOf(call, (await findOfferOf(call.view, appointmentId))?.offer);
}

/** The offer was read before: that fills the cache, which reads inside a transaction do not. */
async function prepareMembersOf(call: PrepareContext, offer: Offer | undefined): Promise<void> {
  if ((await externalMembers(call.view)).length === 0) {
    return;
  }
  const memberIds = offer?.calendar.schedule.members.map(({ memberId }) => memberId) ?? [];
  await refreshExternal(call, memberIds);
}
