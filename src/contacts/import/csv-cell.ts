/** What a spreadsheet takes for a formula, after the apostrophes that already stand before it. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;
const GUARDED = /^'+[=+\-@\t\r\n＝＋－＠]/;

/** A cell that no spreadsheet runs as a formula: such a text gets an apostrophe in front. */
export const guardCell = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** The text that was guarded: takes away one apostrophe, and only where `guardCell` could have set it. */
export const unguardCell = (cell: string): string => (GUARDED.test(cell) ? cell.slice(1) : cell);

/** Several values in one cell, between semicolons; one that holds a semicolon has a `\` before it. */
export const joinList = (values: readonly string[]): string =>
  values.map((value) => value.replaceAll(/[\\;]/g, String.raw`\$&`)).join(';');

/** The values of such a cell. A `\` before anything but `;` and `\` stands for itself: `AC\DC`. */
export const splitList = (cell: string): string[] =>
  [...cell.matchAll(/(?:\\[\\;]|[^;])+/g)]
    .map(([value]) => value.replaceAll(/\\([\\;])/g, '$1').trim())
    .filter((value) => value !== '');
