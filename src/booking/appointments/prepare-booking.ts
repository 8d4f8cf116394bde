import type { PrepareContext } from '#core/endpoint/call.ts';
import { externalMembers } from '../../calendars/external/external-setup.ts';
import { findOffer } from '../../calendars/find-offer.ts';
import { offerNamed } from '../public/public-offers.ts';

/** What stands in the way elsewhere is asked for before a booking's transaction begins (contract 7). */
export async function prepareBooking(
  call: PrepareContext & { readonly body: { readonly appointmentTypeId: string } },
): Promise<void> {
  await prepareMembersOf(call, call.body.appointmentTypeId);
}

/** The same where the type is called by its name in a path. */
export async function prepareOffer(call: PrepareContext, name: string): Promise<void> {
  const offer = await offerNamed(call.view, name);
  await prepareMembersOf(call, offer?.type.id ?? null);
}

/** The same before a move; of an appointment that is not there nobody is asked. */
export async function prepareMove(call: PrepareContext, appointmentId: string): Promise<void> {
  const { view } = call;
  const [found] = await view.rows<{ typeId: string | null }>(TYPE, [
    view.subAccountId,
    appointmentId,
  ]);
  await prepareMembersOf(call, found?.typeId ?? null);
}

const TYPE = `select appointment_type_id as "typeId" from appointments
  where sub_account_id = $1 and id = $2`;

async function prepareMembersOf(call: PrepareContext, typeId: string | null): Promise<void> {
  // Also where nobody is to be asked: a transaction does not remember what it reads by itself.
  const offer = await findOffer(call.view, typeId);
  if ((await externalMembers(call.view)).length === 0) {
    return;
  }
  // Loaded where somebody keeps a calendar elsewhere.
  const { refreshExternal } = await import('../../calendars/external/refresh-external.ts');
  const memberIds = offer?.calendar.schedule.members.map(({ memberId }) => memberId) ?? [];
  await refreshExternal(call, memberIds);
}
