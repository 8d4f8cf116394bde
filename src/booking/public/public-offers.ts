import { orNotFound } from '#core/fault.ts';
import type { CachedRead, View } from '#core/work.ts';
import type { Brand } from '#lib/brand.ts';
import type { AddedLanguages } from '#lib/translate.ts';
import { allOffers, type Offer, resolveOffer } from '../../calendars/offers.ts';
import { DAYS_MAX, type AvailabilityQuery } from '../availability/availability.schema.ts';

/** The business that a visitor books with. */
export interface Host {
  /** The name that customers know. */
  readonly brand: string;
  /** The brand's color and logo. */
  readonly color: string | null;
  readonly logoUrl: string | null;
  readonly timezone: string;
  readonly locale: string;
  readonly languages: AddedLanguages;
  /** ISO 4217. */
  readonly currency: string;
}

/** Returns the business, from the cache. Throws NOT_FOUND for an unknown or deleted sub-account. */
export async function hostOf(view: View): Promise<Host> {
  const [host] = await view.cached(HOST);
  return orNotFound(host, 'sub-account');
}

/** Returns how the business appears on pages. */
export const brandOf = ({ brand: name, color, logoUrl }: Host): Brand => ({ name, color, logoUrl });

const HOST: CachedRead<Host> = {
  tables: ['sub_accounts'],
  text: `select coalesce(brand, name) as brand, brand_color as color, logo_url as "logoUrl", timezone, locale,
      languages, currency
    from sub_accounts where id = $1 and deleted_at is null`,
};

/** Returns what visitors can book, in the order of calendars and types. */
export async function publicOffers(view: View): Promise<Offer[]> {
  const offers = await allOffers(view);
  return offers.filter(({ type }) => type.isActive);
}

/** Returns the first offer with this slug, ignoring case, or this id. */
export async function findPublicOffer(view: View, name: string): Promise<Offer | undefined> {
  const key = name.toLowerCase();
  const offers = await publicOffers(view);
  return offers.find(({ type: { slug, id } }) => [slug.toLowerCase(), id].includes(key));
}

/** Returns the last part of an offer's page address: its slug, or its id if an earlier offer has that slug. */
export function pathNameOf(offers: readonly Offer[], { type }: Offer): string {
  const slug = type.slug.toLowerCase();
  const first = offers.find((other) => other.type.slug.toLowerCase() === slug);
  return first?.type.id === type.id ? type.slug : type.id;
}

const DAY_MINUTES = 24 * 60;
/** A month on a grid of five minutes. */
const STARTS_MAX = 10_000;
/** How often a member is compared with a start: a month of 100 members on a grid of five minutes. */
const COMPARISONS_MAX = 1_000_000;

/**
 * Returns how many days one public response covers, at least one: the whole range, unless the grid is so
 * fine, and the members so many, that a month would take half a second to compute and 10 MB to send.
 */
export async function publicDays(view: View, query: AvailabilityQuery): Promise<number> {
  const offer = await resolveOffer(view, query);
  if (!offer) {
    return DAYS_MAX;
  }
  const { calendar, type } = offer;
  const startsPerDay = Math.ceil(DAY_MINUTES / (calendar.slotInterval ?? type.duration));
  const perDay = startsPerDay * calendar.schedule.members.length;
  const compared = Math.max(1, Math.floor(COMPARISONS_MAX / perDay));
  return Math.min(DAYS_MAX, Math.floor(STARTS_MAX / startsPerDay), compared);
}
