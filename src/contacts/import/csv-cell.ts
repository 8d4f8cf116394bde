/** What a spreadsheet evaluates as a formula, behind any apostrophes. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;
const GUARDED = /^'+[=+\-@\t\r\n＝＋－＠]/;

/** Puts an apostrophe before a text that a spreadsheet would evaluate as a formula. */
export const guardCell = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** Reverses `guardCell`: removes one apostrophe, if `guardCell` could have added it. */
export const unguardCell = (cell: string): string => (GUARDED.test(cell) ? cell.slice(1) : cell);

/** Joins values with semicolons; a `\` escapes a semicolon within a value. */
export const joinList = (values: readonly string[]): string =>
  values.map((value) => value.replaceAll(/[\\;]/g, String.raw`\$&`)).join(';');

/** Splits such a cell. A `\` before any other character is a plain backslash: `AC\DC`. */
export const splitList = (cell: string): string[] =>
  [...cell.matchAll(/(?:\\[\\;]|[^;])+/g)]
    .map(([value]) => value.replaceAll(/\\([\\;])/g, '$1').trim())
    .filter((value) => value !== '');
