import { memberScope } from '#core/endpoint/console-endpoint.ts';
import { Fault, orNotFound } from '#core/fault.ts';
import type { View } from '#core/work.ts';
import { findOfferOf } from '../../booking/appointments/find-offer-of.ts';
import { explainStart, type Moved } from '../../booking/availability/check-slot.ts';
import { allOffers, offerWith, type Offer } from '../../calendars/offers.ts';
import { because, happened, type WhyKind } from './why.ts';

/**
 * Decides again, with the rules and bookings of this moment. A move counts its own time as free. The
 * sentence is in English: the console words the rule and its figures itself, beside the planner.
 */
export const whySlot: WhyKind = {
  kind: 'slot',
  summary:
    'a start that is not offered, or was refused, of an appointment type or for moving an appointment',
  access: memberScope('appointments:read'),
  needs: [
    ['type', 'start'],
    ['type', 'start', 'assignedTo'],
    ['id', 'start'],
    ['id', 'start', 'assignedTo'],
  ],
  async explain(view, { type, id, start, assignedTo }) {
    const { moved, ...wanted }: NamedOffer =
      id === undefined ? { offer: await offerNamed(view, type) } : await movedOffer(view, id);
    const offer = offerWith(wanted.offer, assignedTo);
    const asked = Date.parse(start);
    const { refusal, sentence, facts } = await explainStart(view, offer, asked, moved);
    const record = { type: 'calendar', id: offer.calendar.id };
    const at = view.now.toISOString();
    return refusal === null
      ? happened({ rule: 'bookable', sentence, record, at })
      : because({ rule: refusal, sentence, record, at, facts });
  },
};

async function offerNamed(view: View, name: string): Promise<Offer> {
  const offers = await allOffers(view);
  const found = offers.find(({ type }) => type.id === name.toLowerCase() || type.key === name);
  if (!found) {
    const keys = offers.slice(0, NAMED_MAX).map(({ type }) => type.key);
    const known = keys.length === 0 ? 'there is none' : `there are ${keys.join(', ')}`;
    throw new Fault('NOT_FOUND', `appointment type not found; ${known}`);
  }
  return found;
}

/** How many keys a refusal lists. */
const NAMED_MAX = 20;

interface NamedOffer {
  readonly offer: Offer;
  readonly moved?: Moved;
}

async function movedOffer(view: View, appointmentId: string): Promise<NamedOffer> {
  const { offer, start } = orNotFound(await findOfferOf(view, appointmentId), 'appointment');
  return { offer, moved: { except: appointmentId, current: start } };
}
