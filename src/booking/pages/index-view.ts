import type { Document } from '#core/endpoint/reply.ts';
import { html } from '#lib/html.ts';
import type { View } from '#core/work.ts';
import { hostOf } from '../public/public-host.ts';
import { offeredTo, pathNameOf } from '../public/public-offers.ts';
import { pageOf } from './layout.ts';
import { localeOf } from './messages/locale.ts';

/** Everything that can be booked, for visitors who were not told what. */
export async function showOffers(view: View): Promise<Document> {
  const { brand, locale } = await hostOf(view);
  const pageLocale = localeOf(locale);
  const { words } = pageLocale;
  const offers = await offeredTo(view);
  const links = offers.map((offer) => {
    const { name, duration } = offer.type;
    const path = `/book/${view.subAccountId}/${pathNameOf(offers, offer)}`;
    return html`<li>
      <a class="offer" href="${path}"
        ><strong>${name}</strong> <span>${words.minutes(duration)}</span></a
      >
    </li>`;
  });
  const main = html`<main class="card narrow" id="page">
    <h1>${brand}</h1>
    <p class="lead">${offers.length > 0 ? words.whatToBook : words.nothingToBook}</p>
    <ul class="offers">
      ${links}
    </ul>
  </main>`;
  return pageOf({ pageLocale, title: words.bookWith(brand), brand, main });
}
