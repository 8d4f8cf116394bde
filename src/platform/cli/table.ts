import type { Outcome } from '#core/command.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#lib/duration.ts';
import { displayWidth, graphemes } from './display-width.ts';
import { wrap } from './wrap.ts';

export interface Format {
  /** Characters per line; undefined shows every column in full, for pipes and `--wide`. */
  readonly width: number | undefined;
  /** Times are shown relative to this one; undefined shows them as they are. */
  readonly now: Date | undefined;
  /** Adds the fields that the table leaves out. */
  readonly wide: boolean;
  readonly bold: (text: string) => string;
}

/** Rows as a table, one record as a line for each of its fields. */
export function tableOf({ json, table = json, below }: Outcome, format: Format): string {
  const value = format.wide ? completed(table, json) : table;
  if (Array.isArray(value)) {
    return value.length === 0 ? 'none' : rowsText(value, format, below);
  }
  return isRecord(value) ? recordText(value, format) : cell(value, format);
}

type Row = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !(value instanceof Date);

/** Adds the fields of the JSON rows that the table leaves out. */
function completed(table: unknown, json: unknown): unknown {
  if (Array.isArray(table) && Array.isArray(json) && table.length === json.length) {
    return table.map((row: unknown, index) => completed(row, json[index]));
  }
  return isRecord(table) && isRecord(json) ? { ...table, ...json } : table;
}

function rowsText(rows: readonly unknown[], format: Format, below?: string): string {
  if (!rows.every(isRecord)) {
    return rows.map((row) => cell(row, format)).join('\n');
  }
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const columns: Column[] = names.map((name) => ({
    name,
    cells: rows.map((row) => cell(row[name], format).replaceAll('\n', ' ')),
  }));
  const { width = Infinity } = format;
  const under = isTooWide(columns, width) ? columns.find(({ name }) => name === below) : undefined;
  const fitted = fitColumns(
    columns.filter((column) => column !== under),
    width,
  );
  const [head = '', ...aligned] = alignColumns(fitted);
  const lines = aligned.map((line, row) =>
    under === undefined
      ? line
      : `${line}\n${INDENT}${wrap(under.cells[row] ?? '', width - INDENT.length)}`,
  );
  const { dropped } = fitted;
  const note =
    dropped.length > 0
      ? ['', wrap(`Not shown: ${dropped.join(', ')} (use --wide or --json)`, width)]
      : [];
  return [format.bold(head), ...lines, ...note].join('\n');
}

const INDENT = '  ';

const isTooWide = (columns: readonly Column[], width: number): boolean =>
  totalOf(columns.map(naturalWidth)) > width;

const naturalWidth = ({ name, cells }: Column): number =>
  Math.max(displayWidth(name), ...cells.map(displayWidth));

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
/** Output contains text of others, which must not control the terminal. */
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

const GAP = 2;
/**
 * Free text is cut to this many characters before a column is dropped. An id, a time and two such
 * columns fill 80 characters.
 */
const TEXT_MIN = 14;
/** Texts that may be cut: of several words, addresses, and names of events and operations. */
const FREE_TEXT = /[\s@]|:\/\/|[a-z]\.[a-z]/;

interface Column {
  readonly name: string;
  /** The text of each row. */
  readonly cells: readonly string[];
}

interface Fitted {
  readonly columns: readonly (Column & { readonly width: number })[];
  /** Names of the columns that had no room. */
  readonly dropped: readonly string[];
}

/**
 * Fits columns, the most important first, into a width: cuts free text, then drops columns from the
 * end. Ids and other single words are never cut, unless the first column alone is too wide.
 */
function fitColumns(columns: readonly Column[], width: number): Fitted {
  const measured = columns.map((column) => {
    const natural = naturalWidth(column);
    const least = column.cells.some((cell) => FREE_TEXT.test(cell))
      ? Math.min(natural, Math.max(TEXT_MIN, displayWidth(column.name)))
      : natural;
    return { ...column, natural, least };
  });
  let kept = measured.length;
  while (kept > 1 && totalOf(measured.slice(0, kept).map(({ least }) => least)) > width) {
    kept -= 1;
  }
  const shown = measured.slice(0, kept);
  const widths = shrink(shown, width);
  return {
    columns: shown.map(({ name, cells }, index) => ({ name, cells, width: widths[index] ?? 0 })),
    dropped: measured.slice(kept).map(({ name }) => name),
  };
}

const totalOf = (widths: readonly number[]): number =>
  widths.reduce((sum, one) => sum + one, 0) + GAP * (widths.length - 1);

/** Shrinks the widest columns that may be cut until the total fits. */
function shrink(
  columns: readonly { readonly natural: number; readonly least: number }[],
  width: number,
): number[] {
  const widths = columns.map(({ natural }) => natural);
  for (let excess = totalOf(widths) - width; excess > 0; excess = totalOf(widths) - width) {
    const room = widths.map((one, index) => one - (columns[index]?.least ?? one));
    const widest = room.indexOf(Math.max(...room));
    const taken = Math.min(excess, room[widest] ?? 0);
    if (taken === 0) {
      return columns.length === 1 ? [width] : widths;
    }
    widths[widest] = (widths[widest] ?? 0) - taken;
  }
  return widths;
}

const SCHEME = /^https?:\/\//;

/** Cuts a text to a number of cells, with an ellipsis where it is cut. URLs differ at both ends. */
function cut(text: string, width: number): string {
  if (displayWidth(text) <= width) {
    return text;
  }
  if (SCHEME.test(text)) {
    const address = text.replace(SCHEME, '');
    const end = Math.floor((width - 1) / 2);
    const isShort = displayWidth(address) <= width;
    return isShort || end < 1
      ? cut(address, width)
      : cut(address, width - end) + address.slice(-end);
  }
  let kept = '';
  for (const grapheme of graphemes(text)) {
    if (displayWidth(kept + grapheme) > width - 1) {
      break;
    }
    kept += grapheme;
  }
  return `${kept}…`;
}

/** Returns the lines of aligned columns, without a frame and trailing spaces. */
function alignColumns({ columns }: Fitted): string[] {
  const lineOf = (texts: readonly string[]) =>
    texts
      .map((text, index) => {
        const { width = 0 } = columns[index] ?? {};
        const shown = cut(text, width);
        return shown + ' '.repeat(Math.max(0, width - displayWidth(shown)));
      })
      .join(' '.repeat(GAP))
      .trimEnd();
  const count = columns[0]?.cells.length ?? 0;
  const rows = Array.from({ length: count }, (_, row) =>
    lineOf(columns.map(({ cells }) => cells[row] ?? '')),
  );
  return [lineOf(columns.map(({ name }) => name)), ...rows];
}

const DATE_FROM_MS = 30 * DAY_MS;

const UNITS = [
  [DAY_MS, 'd'],
  [HOUR_MS, 'h'],
  [MINUTE_MS, 'min'],
  [SECOND_MS, 's'],
] as const;

/** `3 min ago`, `in 2 h`, `just now`; a date where it is 30 days or more away. */
export function relativeTime(at: Date, now: Date): string {
  const aheadMs = at.getTime() - now.getTime();
  const awayMs = Math.abs(aheadMs);
  if (awayMs >= DATE_FROM_MS) {
    return at.toISOString().slice(0, 10);
  }
  const unit = UNITS.find(([ms]) => awayMs >= ms);
  if (!unit) {
    return 'just now';
  }
  const [ms, name] = unit;
  const text = `${Math.floor(awayMs / ms)} ${name}`;
  return aheadMs > 0 ? `in ${text}` : `${text} ago`;
}
