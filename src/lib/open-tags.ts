import { Parser } from 'htmlparser2';

/** Converting HTML needs time that grows with the square of the depth, and a stack that grows with it. */
const OPEN_TAGS_MAX = 1_000;
/**
 * Each element around a line indents it once more: 80 quotations around 240,000 lines took 8 s and made
 * 42 MB of text. A newsletter has a hundredth of this.
 */
const INDENTS_MAX = 2_000_000;

const TOO_MANY = new Error('too many open tags');

/** Elements for which the parser keeps a list that only their own end tags shorten. */
const LISTED = new Set(
  'svg math mi mo mn ms mtext annotation-xml foreignobject desc title'.split(' '),
);

/**
 * Whether HTML has so many tags open at once that its conversion would take seconds. It is read by the
 * parser of the conversion: comments and wrong end tags led an estimate astray. An `<svg/>` stays open
 * for the parser: 80,000 of them took 8 s.
 */
export function hasManyOpenTags(html: string): boolean {
  let open = 0;
  let listed = 0;
  let indents = 0;
  const count = (lines: number) => {
    indents += lines * open;
    if (Math.max(open, listed) > OPEN_TAGS_MAX || indents > INDENTS_MAX) {
      throw TOO_MANY;
    }
  };
  const parser = new Parser(
    {
      onopentagname(name) {
        open += 1;
        listed += LISTED.has(name) ? 1 : 0;
        count(1);
      },
      onclosetag(name, isImplied) {
        open -= 1;
        listed -= !isImplied && LISTED.has(name) ? 1 : 0;
      },
      ontext: (text) => count(text.split(LINE_BREAK).length - 1),
    },
    { decodeEntities: false },
  );
  try {
    parser.end(html);
    return false;
  } catch (error) {
    if (error === TOO_MANY) {
      return true;
    }
    throw error;
  }
}

const LINE_BREAK = /[\n\r]/;

/**
 * Returns the text between the tags, without that of styles and scripts, each link after its address. The
 * time is linear to the length.
 */
export const withoutTags = (html: string): string =>
  html
    .replaceAll(/<(?:style|script|title)\b[^<>]*>[^<]*|<[^<>]*>/gi, addressOf)
    .replaceAll(/&(?:amp|lt|gt|quot|nbsp|#39);/g, (entity) => CHARACTERS[entity] ?? entity)
    .replaceAll(/\s+/g, (blank) => (LINE_BREAK.test(blank) ? '\n' : ' '))
    .trim();

/** Returns the address of a link, and a space for other tags. */
function addressOf(tag: string): string {
  const [, address = ''] = (LINK.test(tag) && ADDRESS.exec(tag)) || [];
  return ` ${address} `;
}

const LINK = /^<a\s/i;
const ADDRESS = /\shref="([^"]*)"/i;

const CHARACTERS: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&nbsp;': ' ',
  '&#39;': "'",
};
