import type { Document } from '#core/endpoint/reply.ts';
import type { View } from '#core/work.ts';
import { html } from '#lib/html.ts';
import { hostOf, publicOffers, pathNameOf } from '../public/public-offers.ts';
import { pageOf, languageOf } from './layout.ts';

/** Returns the page that lists everything visitors can book. */
export async function showOffers(view: View): Promise<Document> {
  const { brand, locale } = await hostOf(view);
  const language = languageOf(locale);
  const { messages } = language;
  const offers = await publicOffers(view);
  const links = offers.map((offer) => {
    const { name, duration } = offer.type;
    const path = `/book/${view.subAccountId}/${pathNameOf(offers, offer)}`;
    return html`<li>
      <a class="offer" href="${path}"
        ><strong>${name}</strong> <span>${messages.minutes(duration)}</span></a
      >
    </li>`;
  });
  const main = html`<main class="card narrow" id="page">
    <h1>${brand}</h1>
    <p class="lead">${offers.length > 0 ? messages.whatToBook : messages.nothingToBook}</p>
    <ul class="offers">
      ${links}
    </ul>
  </main>`;
  return pageOf({ language, title: messages.bookWith(brand), brand, main });
}
