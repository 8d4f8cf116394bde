/** Control characters; the first group are the styles of our own output. */
const CONTROLS = /(\u001B\[(?:1|22|3[1239])m)|(?![\n\t])\p{Cc}/gu;

/**
 * Returns a text without characters that control a terminal: it may contain names that visitors typed,
 * or parts of a file of others. Lines, tabs and our own colours stay.
 */
export const printable = (text: string): string =>
  text.replaceAll(CONTROLS, (_, style: string | undefined) => style ?? '');

/** Characters that control a terminal or the direction of its text, and that JSON leaves as they are. */
const UNESCAPED = /[\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/** Returns JSON without such characters: it contains text of others. Its value is the same. */
export const jsonLine = (value: unknown): string | undefined =>
  JSON.stringify(value)?.replaceAll(
    UNESCAPED,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
