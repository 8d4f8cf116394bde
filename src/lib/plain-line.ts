const BREAKING = /[\p{Cc}\p{Zl}\p{Zp}]/gu;
/** Format characters, except the joiners (U+200C and U+200D) of emoji and Persian words. */
const INVISIBLE = /(?![\u200C\u200D])\p{Cf}/gu;

/**
 * Returns the text of another person in one line, without characters that change its direction or that
 * nothing shows: it could look like other words, or like a line of ours.
 */
export const plainLine = (text: string): string =>
  text.replaceAll(BREAKING, ' ').replaceAll(INVISIBLE, '');
