import { epochColumn } from '#core/schema/columns.ts';
import type { View } from '#core/work.ts';
import { findOffer, type Offer } from '../../calendars/offers.ts';

interface BookedOffer {
  readonly offer: Offer;
  /** The start of the appointment, in epoch milliseconds. */
  readonly start: number;
}

/** Returns what an appointment is of; undefined for an unknown appointment or a deleted type. */
export async function findOfferOf(
  view: View,
  appointmentId: string,
): Promise<BookedOffer | undefined> {
  const [appointment] = await view.rows<{ typeId: string | null; start: number }>(BOOKED, [
    view.subAccountId,
    appointmentId,
  ]);
  const offer = await findOffer(view, appointment?.typeId ?? null);
  return offer && appointment && { offer, start: appointment.start };
}

const BOOKED = `select appointment_type_id as "typeId", ${epochColumn('start_time')} as start
  from appointments where sub_account_id = $1 and id = $2`;
