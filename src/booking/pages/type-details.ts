import { html } from '#lib/html.ts';
import type { Offer } from '../../calendars/offers.ts';
import type { Host } from '../public/public-offers.ts';
import { icon } from './icon.ts';
import type { BookingLanguage, TypeDetails } from './layout.ts';

type OfferedType = Offer['type'];

/** Returns price, place and description of a type, with icons. */
export function typeDetails(type: OfferedType, host: Host, language: BookingLanguage): TypeDetails {
  const { description, price, location } = type;
  const place = placeOf(type, language);
  return {
    facts: [
      price !== null &&
        html`<p class="fact price">${icon('price')} ${priceText(price, host, language)}</p>`,
      place !== undefined &&
        html`<p class="fact">${icon(location === null ? 'video' : 'place')} ${place}</p>`,
    ],
    description: description !== null && html`<p class="fact description">${description}</p>`,
  };
}

/** Returns where an appointment of a type takes place; a video call's link is for those who have booked. */
export const placeOf = (
  { location, videoUrl }: Pick<OfferedType, 'location' | 'videoUrl'>,
  { messages }: BookingLanguage,
): string | undefined => location ?? (videoUrl === null ? undefined : messages.videoCall);

/** Returns `€45`, without decimals that are zero. */
export function priceText(
  price: number,
  { currency }: Pick<Host, 'currency'>,
  { locale, messages }: BookingLanguage,
): string {
  return price === 0
    ? messages.free
    : new Intl.NumberFormat(locale, {
        style: 'currency',
        currency,
        trailingZeroDisplay: 'stripIfInteger',
      }).format(price);
}
