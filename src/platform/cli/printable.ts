/** A control character, with the rest of a style that our own output has. */
const CONTROL = /(?![\n\t])\p{Cc}(\[(?:1|22|3[1239])m)?/gu;
const ESCAPE = '\u001B';

/**
 * Returns a text without characters that control a terminal: it may contain names that visitors typed,
 * or parts of a file of others. Lines, tabs and our own colours stay.
 */
export const printable = (text: string): string =>
  text.replaceAll(CONTROL, (found, style: string = '') =>
    style !== '' && found.startsWith(ESCAPE) ? found : style,
  );

/** Characters that control a terminal or the direction of its text, and that JSON leaves as they are. */
const UNESCAPED = /[\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/** Returns JSON without such characters: it contains text of others. Its value is the same. */
export const jsonLine = (value: unknown): string | undefined =>
  JSON.stringify(value)?.replaceAll(
    UNESCAPED,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
