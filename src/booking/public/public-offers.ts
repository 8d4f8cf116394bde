import type { View } from '#core/work.ts';
import { allOffers, type Offer } from '../../calendars/find-offer.ts';

/** What visitors can book, in the order of calendars and types. */
export async function offeredTo(view: View): Promise<Offer[]> {
  const offers = await allOffers(view);
  return offers.filter(({ type }) => type.isActive);
}

/** The first that can be booked under a slug, without case, or an id. */
export async function offerNamed(view: View, name: string): Promise<Offer | undefined> {
  const wanted = name.toLowerCase();
  const offers = await offeredTo(view);
  return offers.find(({ type: { slug, id } }) => [slug.toLowerCase(), id].includes(wanted));
}

/** What names it in the path of its page: the slug, or the id where an earlier one has that slug. */
export function pathNameOf(offers: readonly Offer[], { type }: Offer): string {
  const slug = type.slug.toLowerCase();
  const first = offers.find((other) => other.type.slug.toLowerCase() === slug);
  return first?.type.id === type.id ? type.slug : type.id;
}
