import type { View } from '#core/work.ts';
import { allOffers, type Offer } from '../../calendars/find-offer.ts';
import { existing } from './answers.ts';

/** The appointment type that is meant by its key or its id. */
export async function knownOffer(view: View, name: string): Promise<Offer> {
  const offers = await allOffers(view);
  const found = offers.find(({ type: { id, key } }) => key === name || id === name.toLowerCase());
  return existing(found, 'appointment type', name);
}
