import { invalid } from '#core/fault.ts';
import type { View } from '#core/work.ts';
import { bookableCalendars, type BookableCalendar, type OfferedType } from './bookable.ts';

interface OfferQuery {
  readonly appointmentTypeId?: string;
  readonly appointmentType?: string;
}

/**
 * Returns the active type with this id, else the one with this name or slug, or undefined. Throws
 * VALIDATION_ERROR for a name of several types; it lists them, so that the caller can choose by id.
 */
export async function resolveOffer(
  view: View,
  { appointmentTypeId, appointmentType }: OfferQuery,
): Promise<Offer | undefined> {
  if (appointmentTypeId !== undefined) {
    const offer = await findOffer(view, appointmentTypeId);
    return offer?.type.isActive ? offer : undefined;
  }
  if (appointmentType === undefined) {
    const message = 'is required unless appointmentType is given';
    throw invalid([{ in: 'query', path: '/appointmentTypeId', message }]);
  }
  const offers = await offersByName(view, appointmentType);
  if (offers.length > 1) {
    throw ambiguous(offers);
  }
  return offers[0];
}

function ambiguous(offers: readonly Offer[]) {
  const candidates = offers.map(({ calendar, type: { id, name, slug, duration } }) => {
    return { id, name, slug, duration, calendarId: calendar.id, calendarName: calendar.name };
  });
  const list = candidates.map(({ id, name, calendarName }) => `${name} of ${calendarName} (${id})`);
  const message = `is the name of several types; pass appointmentTypeId instead, one of: ${list.join(', ')}`;
  return invalid([{ in: 'query', path: '/appointmentType', message }], { candidates });
}

/** An appointment type with its calendar. */
export interface Offer {
  readonly calendar: BookableCalendar;
  readonly type: OfferedType;
}

/** Returns every type of every calendar, inactive types included. */
export async function allOffers(view: View): Promise<Offer[]> {
  const calendars = await bookableCalendars(view);
  return calendars.flatMap((calendar) => calendar.types.map((type) => ({ calendar, type })));
}

/** Returns the offer with this type id; inactive types are included. */
export async function findOffer(view: View, typeId: string | null): Promise<Offer | undefined> {
  for (const calendar of await bookableCalendars(view)) {
    const type = calendar.types.find(({ id }) => id === typeId);
    if (type) {
      return { calendar, type };
    }
  }
  return undefined;
}

/** Returns the active offers with this name or slug, ignoring case. */
async function offersByName(view: View, name: string): Promise<Offer[]> {
  const folded = fold(name);
  const offers = await allOffers(view);
  return offers.filter(
    ({ type }) => type.isActive && [type.name, type.slug].map(fold).includes(folded),
  );
}

const fold = (text: string): string => text.trim().normalize('NFC').toLowerCase();
