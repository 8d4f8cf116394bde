import type { PrepareContext } from '#core/endpoint/route.ts';
import { externalMembers } from '../../calendars/external/external-setup.ts';
import { findOffer } from '../../calendars/offers.ts';
import { refreshExternal } from '../../calendars/external/refresh-external.ts';
import { findPublicOffer } from '../public/public-offers.ts';

/** Refreshes the members' external busy times before a booking's transaction begins (contract 7). */
export async function prepareBooking(
  call: PrepareContext & { readonly body: { readonly appointmentTypeId: string } },
): Promise<void> {
  await prepareMembersOf(call, call.body.appointmentTypeId);
}

/** The same for a type named in a path by slug or id. */
export async function prepareOffer(call: PrepareContext, name: string): Promise<void> {
  const offer = await findPublicOffer(call.view, name);
  await prepareMembersOf(call, offer?.type.id ?? null);
}

/** The same before a move. An unknown appointment refreshes nothing. */
export async function prepareMove(call: PrepareContext, appointmentId: string): Promise<void> {
  const { view } = call;
  const [appointment] = await view.rows<{ typeId: string | null }>(TYPE, [
    view.subAccountId,
    appointmentId,
  ]);
  await prepareMembersOf(call, appointment?.typeId ?? null);
}

const TYPE = `select appointment_type_id as "typeId" from appointments
  where sub_account_id = $1 and id = $2`;

async function prepareMembersOf(call: PrepareContext, typeId: string | null): Promise<void> {
  // Fills the cache even without external calendars: reads inside a transaction do not.
  const offer = await findOffer(call.view, typeId);
  if ((await externalMembers(call.view)).length === 0) {
    return;
  }
  const memberIds = offer?.calendar.schedule.members.map(({ memberId }) => memberId) ?? [];
  await refreshExternal(call, memberIds);
}
