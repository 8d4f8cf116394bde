import { invalid } from '#core/fault.ts';
import type { View } from '#core/work.ts';
import { findOffer, offersCalled, type Offer } from './find-offer.ts';

interface Named {
  readonly appointmentTypeId?: string;
  readonly appointmentType?: string;
}

/**
 * The active type with that id, else the one that is called so; nothing where there is none. A name
 * of several is refused with all of them, so that the caller can ask again by id.
 */
export async function resolveOffer(
  view: View,
  { appointmentTypeId, appointmentType }: Named,
): Promise<Offer | undefined> {
  if (appointmentTypeId !== undefined) {
    const offer = await findOffer(view, appointmentTypeId);
    return offer?.type.isActive ? offer : undefined;
  }
  if (appointmentType === undefined) {
    const message = 'is required unless appointmentType is given';
    throw invalid([{ in: 'query', path: '/appointmentTypeId', message }]);
  }
  const offers = await offersCalled(view, appointmentType);
  if (offers.length > 1) {
    throw ambiguous(offers);
  }
  return offers[0];
}

function ambiguous(offers: readonly Offer[]) {
  const candidates = offers.map(({ calendar, type: { id, name, slug, duration } }) => {
    return { id, name, slug, duration, calendarId: calendar.id, calendarName: calendar.name };
  });
  const told = candidates.map(({ id, name, calendarName }) => `${name} of ${calendarName} (${id})`);
  const message = `is the name of several; ask by id for one of them: ${told.join(', ')}`;
  return invalid([{ in: 'query', path: '/appointmentType', message }], { candidates });
}
