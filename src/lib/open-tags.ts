/** Parsers of HTML need time that grows with the square of the depth, and a stack that grows with it. */
const OPEN_TAGS_MAX = 1_000;

/** An estimate: some tags are closed implicitly, and some have no end tag. */
export function hasManyOpenTags(html: string): boolean {
  let open = 0;
  for (const [tag] of html.matchAll(/<\/?[a-z][^\s/<>]*/gi)) {
    if (!ENDLESS.has(tag.toLowerCase())) {
      open = tag.startsWith('</') ? Math.max(0, open - 1) : open + 1;
    }
    if (open > OPEN_TAGS_MAX) {
      return true;
    }
  }
  return false;
}

const ENDLESS = new Set(['<br', '<img', '<hr', '<meta', '<link', '<input', '<col', '<p', '</p']);

/** Returns the text between the tags. */
export const withoutTags = (html: string): string => html.replaceAll(/<[^<>]*>/g, ' ');
