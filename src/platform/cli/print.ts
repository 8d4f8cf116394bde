import type { Outcome } from '#core/command.ts';
import { alignColumns, displayWidth, fitColumns, type Column } from './fit-columns.ts';
import { relativeTime } from './relative-time.ts';
import { wantsColour } from './terminal.ts';

const WIDTH_DEFAULT = 80;

/** Prints the result of a command: one JSON value, its own text, or a table of its rows. */
export async function print(outcome: Outcome, asJson: boolean, wide = false): Promise<void> {
  const { json, text } = outcome;
  const said = asJson ? JSON.stringify(json) : (text ?? tableOf(outcome, formatHere(wide)));
  await write(`${said}\n`);
}

/** Waits until the text has gone, so that the process may end; a reader that left is no failure. */
export const write = (text: string) =>
  new Promise<void>((resolve) => {
    process.stdout.write(text, () => resolve());
  });

export interface Format {
  /** Characters of a line; undefined shows every column in full, as pipes and `--wide` need it. */
  readonly width: number | undefined;
  /** Times are shown relative to this one; undefined shows them as they are. */
  readonly now: Date | undefined;
  /** Adds the fields that the table leaves out. */
  readonly wide: boolean;
  readonly bold: (text: string) => string;
}

function formatHere(wide: boolean): Format {
  const { isTTY, columns } = process.stdout;
  const isFitted = isTTY && !wide;
  return {
    // Some terminals report no size.
    width: isFitted ? columns || WIDTH_DEFAULT : undefined,
    now: isFitted ? new Date() : undefined,
    wide,
    bold: wantsColour(process.stdout) ? (text) => `\u001B[1m${text}\u001B[22m` : (text) => text,
  };
}

/** Rows as a table, one record as a line for each of its fields. */
export function tableOf({ json, table = json }: Outcome, format: Format): string {
  const value = format.wide ? completed(table, json) : table;
  if (Array.isArray(value)) {
    return value.length === 0 ? 'none' : rowsText(value, format);
  }
  return isRecord(value) ? recordText(value, format) : cell(value, format);
}

type Row = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !(value instanceof Date);

/** A table leaves out fields of the rows that it was made of. */
function completed(table: unknown, json: unknown): unknown {
  if (Array.isArray(table) && Array.isArray(json) && table.length === json.length) {
    return table.map((row: unknown, index) => completed(row, json[index]));
  }
  return isRecord(table) && isRecord(json) ? { ...table, ...json } : table;
}

function rowsText(rows: readonly unknown[], format: Format): string {
  if (!rows.every(isRecord)) {
    return rows.map((row) => cell(row, format)).join('\n');
  }
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const columns: Column[] = names.map((name) => ({
    name,
    cells: rows.map((row) => cell(row[name], format).replaceAll('\n', ' ')),
  }));
  const fitted = fitColumns(columns, format.width ?? Infinity);
  const [head = '', ...lines] = alignColumns(fitted);
  const { dropped } = fitted;
  const note = dropped.length > 0 ? ['', `Not shown: ${dropped.join(', ')} (use --wide)`] : [];
  return [format.bold(head), ...lines, ...note].join('\n');
}

function recordText(record: Row, format: Format): string {
  const fields = flattened(record);
  const indent = Math.max(0, ...fields.map(([name]) => displayWidth(name))) + 2;
  return fields
    .map(([name, value]) => {
      const text = cell(value, format).replaceAll('\n', `\n${' '.repeat(indent)}`);
      return format.bold(name) + ' '.repeat(indent - displayWidth(name)) + text;
    })
    .join('\n');
}

/** Fields of a record within a record get a name of two words: `recipients sent`. */
const flattened = (record: Row): (readonly [name: string, value: unknown])[] =>
  Object.entries(record).flatMap(([name, value]) =>
    isRecord(value) && !Array.isArray(value) && Object.keys(value).length > 0
      ? Object.entries(value).map(([inner, held]) => [`${name} ${inner}`, held] as const)
      : [[name, value] as const],
  );

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
/** What is shown was written by others, and may not steer the terminal. */
const CONTROLS = /(?!\n)\p{Cc}/gu;

function cell(value: unknown, format: Format): string {
  if (value === null || value === undefined) {
    return '–';
  }
  if (value instanceof Date) {
    return format.now ? relativeTime(value, format.now) : value.toISOString();
  }
  if (Array.isArray(value)) {
    return value.map((one) => cell(one, format)).join(', ');
  }
  if (typeof value !== 'string') {
    return JSON.stringify(value);
  }
  if (format.now && ISO_TIME.test(value)) {
    return relativeTime(new Date(value), format.now);
  }
  return value.replaceAll(CONTROLS, '');
}
