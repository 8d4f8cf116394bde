import type { Document } from '#core/endpoint/reply.ts';
import type { View } from '#core/work.ts';
import { html } from '#lib/html.ts';
import { brandLine } from '#lib/brand.ts';
import { brandOf, hostOf, publicOffers, pathNameOf } from '../public/public-offers.ts';
import { pageOf, languageOf } from './layout.ts';
import { placeOf, priceText } from './type-details.ts';

/** Returns the page that lists everything visitors can book. */
export async function showOffers(view: View): Promise<Document> {
  const host = await hostOf(view);
  const { brand, locale, languages } = host;
  const language = languageOf(locale, languages);
  const { messages } = language;
  const offers = await publicOffers(view);
  const links = offers.map((offer) => {
    const { type } = offer;
    const { name, duration, description, price } = type;
    const place = placeOf(type, language);
    const facts = [
      messages.minutes(duration),
      ...(price === null ? [] : [priceText(price, host, language)]),
      ...(place === undefined ? [] : [place]),
    ];
    const path = `/book/${view.subAccountId}/${pathNameOf(offers, offer)}`;
    return html`<li>
      <a class="offer" href="${path}"
        ><strong>${name}</strong>
        ${description !== null && html`<span>${description}</span>`}
        <span class="facts-line">${facts.join(' · ')}</span></a
      >
    </li>`;
  });
  const main = html`<main class="card narrow" id="page">
    ${brandLine(brandOf(host))}
    <h1>${messages.bookWith(brand)}</h1>
    <p class="lead">${offers.length > 0 ? messages.whatToBook : messages.nothingToBook}</p>
    <ul class="offers">
      ${links}
    </ul>
  </main>`;
  return pageOf({ language, title: messages.bookWith(brand), brand: brandOf(host), main });
}
