import { html, type Html, type Part } from '#lib/html.ts';
import type { Locale } from './messages/locale.ts';

interface About {
  readonly pageLocale: Locale;
  readonly brand: string;
  readonly what: string;
  /** Minutes. */
  readonly duration: number;
  /** When, once that is chosen, and in which zone. */
  readonly more?: Part;
}

/** With whom, what and how long: stands beside whatever is to be chosen or filled in. */
export const about = ({ pageLocale: { words }, brand, what, duration, more }: About): Html =>
  html`<header class="about">
    <p class="brand"><span class="initial" aria-hidden="true">${initialOf(brand)}</span>${brand}</p>
    <h1>${what}</h1>
    <p class="fact duration">${words.minutes(duration)}</p>
    ${more}
  </header>`;

const initialOf = (brand: string): string =>
  String.fromCodePoint(brand.trim().codePointAt(0) ?? 0x20).toUpperCase();
