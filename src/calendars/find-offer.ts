import type { View } from '#core/work.ts';
import { bookableCalendars, type BookableCalendar, type OfferedType } from './bookable.ts';

/** A type with the calendar that has it. */
export interface Offer {
  readonly calendar: BookableCalendar;
  readonly type: OfferedType;
}

export async function allOffers(view: View): Promise<Offer[]> {
  const calendars = await bookableCalendars(view);
  return calendars.flatMap((calendar) => calendar.types.map((type) => ({ calendar, type })));
}

/** By the type's id; those that are switched off, too. */
export async function findOffer(view: View, typeId: string | null): Promise<Offer | undefined> {
  for (const calendar of await bookableCalendars(view)) {
    const type = calendar.types.find(({ id }) => id === typeId);
    if (type) {
      return { calendar, type };
    }
  }
  return undefined;
}

/** Those that can be booked and are called so, by name or slug, without case. */
export async function offersCalled(view: View, called: string): Promise<Offer[]> {
  const wanted = fold(called);
  const offers = await allOffers(view);
  return offers.filter(
    ({ type }) => type.isActive && [type.name, type.slug].map(fold).includes(wanted),
  );
}

const fold = (text: string): string => text.trim().normalize('NFC').toLowerCase();
