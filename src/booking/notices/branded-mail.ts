import type { Brand } from '#lib/brand.ts';
import { paletteOf } from '#lib/brand-palette.ts';
import { html, languageAttributes, markupOf, type Html } from '#lib/html.ts';

/** Of `web/tokens/colors.css`: mail programs know no custom properties. */
const TEXT = '#1b1f27';
const TEXT_QUIET = '#535b6b';
const CANVAS = '#f6f7f9';

/**
 * Returns a mail's text as HTML in the brand's design, or undefined for a business with neither a color
 * nor a logo: its mails stay plain text. Merge fields stay as they are. `locale` is the language tag of
 * the text.
 */
export function brandedMail(brand: Brand, text: string, locale: string): string | undefined {
  if (brand.color === null && brand.logoUrl === null) {
    return undefined;
  }
  const { accent, light } = paletteOf(brand.color);
  const paragraphs = text.trim().split(/\r?\n\s*\r?\n/);
  return markupOf(
    html`<!doctype html>
      <html ${languageAttributes(locale)}>
        <body style="margin:0;padding:24px 12px;background:${CANVAS}">
          <div
            style="max-width:540px;margin:0 auto;padding:28px;border-top:4px solid ${accent};border-radius:10px;background:#fff;color:${TEXT};font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif"
          >
            ${header(brand)}
            ${paragraphs.map((one) => html`<p style="margin:0 0 16px">${linesOf(one, light.text)}</p>`)}
          </div>
        </body>
      </html>`,
  );
}

const header = ({ name, logoUrl }: Brand): Html =>
  html`<p style="margin:0 0 20px;color:${TEXT_QUIET};font-weight:600">
    ${
      logoUrl !== null &&
      html`<img src="${logoUrl}" alt="" height="32" style="height:32px;vertical-align:middle" /> `
    }${name}
  </p>`;

/** An address, or the merge field with the link to the appointment. */
const ADDRESS = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)]|\{\{\s*appointment\.link\s*\}\})/;

/** Returns the lines of a paragraph; addresses become links. */
const linesOf = (paragraph: string, accent: string): readonly Html[] =>
  paragraph.split(/\r?\n/).map((line, at) => {
    const parts = line.split(ADDRESS).map((part, index) =>
      // `split` puts what the group matched at the odd places.
      index % 2 === 1 ? html`<a href="${part}" style="color:${accent}">${part}</a>` : html`${part}`,
    );
    return html`${at > 0 && html`<br />`}${parts}`;
  });
