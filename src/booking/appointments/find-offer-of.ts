import type { View } from '#core/work.ts';
import { findOffer, type Offer } from '../../calendars/offers.ts';

/** Returns the offer of an appointment; undefined for an unknown appointment or a deleted type. */
export async function findOfferOf(view: View, appointmentId: string): Promise<Offer | undefined> {
  const [appointment] = await view.rows<{ typeId: string | null }>(TYPE, [
    view.subAccountId,
    appointmentId,
  ]);
  return findOffer(view, appointment?.typeId ?? null);
}

const TYPE = `select appointment_type_id as "typeId" from appointments
  where sub_account_id = $1 and id = $2`;
