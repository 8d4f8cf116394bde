import { notFound } from '#core/fault.ts';
import { explainStart } from '../../booking/availability/check-slot.ts';
import { allOffers } from '../../calendars/offers.ts';
import { because, happened, type WhyKind } from './why.ts';

/** Decides again, with the rules and bookings of this moment. */
export const whySlot: WhyKind = {
  kind: 'slot',
  summary: 'a start of an appointment type that is not offered, or was refused',
  role: 'viewer',
  needs: [['type', 'start']],
  async explain(view, { type: name, start }) {
    const offers = await allOffers(view);
    const offer = offers.find(({ type }) => type.id === name.toLowerCase() || type.key === name);
    if (!offer) {
      throw notFound('appointment type');
    }
    const { refusal, sentence } = await explainStart(view, offer, Date.parse(start));
    const record = { type: 'calendar', id: offer.calendar.id };
    const reason = { rule: refusal ?? 'bookable', sentence, record, at: view.now.toISOString() };
    return refusal === null ? happened(reason) : because(reason);
  },
};
