import { createHash } from 'node:crypto';
import { brandCss, paletteOf } from './brand-palette.ts';
import { html, type Html } from './html.ts';

/** How a business appears to its customers. */
export interface Brand {
  readonly name: string;
  /** `#rrggbb`; null means the default color. */
  readonly color: string | null;
  /** An https address. */
  readonly logoUrl: string | null;
}

/** Returns the line with the business: its logo, or its initial in the brand's color, and its name. */
export const brandLine = ({ name, logoUrl }: Brand): Html =>
  html`<p class="brand">
    ${
      logoUrl === null
        ? initial(name)
        : html`<img class="logo" src="${logoUrl}" alt="" referrerpolicy="no-referrer" /><template
              >${initial(name)}</template
            >`
    }${name}
  </p>`;

const initial = (name: string): Html =>
  html`<span class="initial" aria-hidden="true">${initialOf(name)}</span>`;

const initialOf = (name: string): string =>
  String.fromCodePoint(name.trim().codePointAt(0) ?? 0x20).toUpperCase();

/** Returns the style sheet of the brand's color, as it stands in a `style` element of the page. */
export const brandStyle = ({ color }: Brand): string => brandCss(color);

/** Returns an icon for the browser's tab: the initial on the brand's color, as a data URL. */
export function brandIcon({ name, color }: Brand): string {
  const { accent, onAccent } = paletteOf(color);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${accent}"/><text x="16" y="22" font-family="sans-serif" font-size="18" font-weight="700" text-anchor="middle" fill="${onAccent}">${escapedInitial(name)}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;' };
const escapedInitial = (name: string): string => ESCAPED[initialOf(name)] ?? initialOf(name);

/** What a page's Content-Security-Policy allows for its brand: this style and this logo, no others. */
export const brandSources = (brand: Brand) => ({
  style: brand.color === null ? [] : [`'sha256-${sha256(brandStyle(brand))}'`],
  image: brand.logoUrl === null ? [] : [sourceOf(brand.logoUrl)],
});

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64');

/** A source has no query, and these characters would end it. */
function sourceOf(address: string): string {
  const { origin, pathname } = new URL(address);
  return origin + pathname.replaceAll(';', '%3B').replaceAll(',', '%2C');
}
