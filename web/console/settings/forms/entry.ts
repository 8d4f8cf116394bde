/** An entry of the manifest, as the server exports it. */
export type Entry = Readonly<Record<string, unknown>>;

/** A member of an entry that a form edits. */
export interface EntryField {
  /** Members from the entry down, such as `buffers/before`. */
  readonly path: string;
  readonly label: string;
  /**
   * `windows` are opening hours such as `09:00-12:00, 13:00-17:00`, `options` the options of a select,
   * separated by commas. A `secret` is not shown again: an empty one stays as it is stored. A `list` has
   * entries of its own, and `members` are keys of the team.
   */
  readonly kind:
    | 'text'
    | 'long'
    | 'number'
    | 'switch'
    | 'windows'
    | 'options'
    | 'secret'
    | 'color'
    | 'choice'
    | 'zone'
    | 'date'
    | 'list'
    | 'members';
  readonly isRequired?: boolean;
  /** Of a `choice`. */
  readonly choices?: readonly { readonly id: string; readonly label: string }[];
  /** Of a `choice`: what applies if the entry has none. */
  readonly byDefault?: string;
  /** Of a `list`. */
  readonly list?: EntryList;
  /** Whether the field is shown for these values, and those of the entry around it; always by default. */
  readonly isShown?: (values: FormValues, around: FormValues) => boolean;
  /** The heading of the group that begins with this field. */
  readonly heading?: string;
  /** Explains the group, below its heading. */
  readonly headingText?: string;
  /** Explains the field, below it. */
  readonly description?: string;
  /** A switch that is on where the entry does not say. */
  readonly isOnByDefault?: boolean;
  /** Of `windows` that the entry must have: an empty text is an empty list. */
  readonly mayBeNone?: boolean;
  /** Shown while the field is empty: what then applies. */
  readonly hint?: string;
}

/** The entries of a list inside an entry, such as the services of a calendar. */
export interface EntryList {
  readonly fields: readonly EntryField[];
  /** The button that adds one. */
  readonly add: string;
  /** Shown while there is none. */
  readonly empty: string;
  /** Returns what a new one begins with. */
  readonly fresh: (others: readonly Entry[]) => Entry;
  /** Returns what the row of one says besides its name. */
  readonly summaryOf: (entry: Entry) => string;
  /** Returns what the row of one is called; an empty text if it has no name yet. */
  readonly nameOf: (entry: Entry) => string;
  /** Whether the order does not matter: rows cannot be moved. */
  readonly isUnordered?: boolean;
  /** What is lost when a stored one is removed. Without it, the form does not ask before it removes one. */
  readonly removeText?: string;
}

const SEPARATOR = ', ';
/** The kinds whose values are lists. */
const LISTS: ReadonlySet<EntryField['kind']> = new Set(['list', 'members']);

const membersOf = (path: string): readonly string[] => path.split('/');

/** Returns a text or number as text, and anything else as an empty one. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

function valueAt(entry: Entry, path: string): unknown {
  return membersOf(path).reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null ? (value as Entry)[name] : undefined,
    entry,
  );
}

/** Returns a copy with another value at the path; undefined removes the member. */
function withValue(entry: Entry, [name = '', ...rest]: readonly string[], value: unknown): Entry {
  if (rest.length > 0) {
    const inner = (entry[name] ?? {}) as Entry;
    return { ...entry, [name]: withValue(inner, rest, value) };
  }
  const { [name]: _old, ...others } = entry;
  return value === undefined ? others : { ...entry, [name]: value };
}

/** What a form shows: texts, booleans of switches, and the entries of lists. */
export type FormValue = string | boolean | readonly unknown[];
export type FormValues = Readonly<Record<string, FormValue>>;

/** Returns the values of an entry as a form shows them. */
export const formValuesOf = (fields: readonly EntryField[], entry: Entry): FormValues =>
  Object.fromEntries(
    fields.map(({ path, kind, isOnByDefault = false }) => {
      const value = valueAt(entry, path);
      if (kind === 'switch') {
        return [path, typeof value === 'boolean' ? value : isOnByDefault];
      }
      if (LISTS.has(kind)) {
        return [path, Array.isArray(value) ? (value as readonly unknown[]) : []];
      }
      if (kind === 'windows' || kind === 'options') {
        return [path, Array.isArray(value) ? value.join(SEPARATOR) : ''];
      }
      return [path, kind === 'number' ? numberText(value) : textOf(value)];
    }),
  );

/**
 * Returns the entry with the values of a form. An empty field is left out, so that its default applies; a
 * text that was not touched stays as it is stored, with its blanks.
 */
export function entryOf(
  fields: readonly EntryField[],
  entry: Entry,
  values: FormValues,
  around: FormValues = {},
): Entry {
  const before = formValuesOf(fields, entry);
  return fields.reduce((result, { path, kind, mayBeNone = false, isShown = () => true }) => {
    const value = isShown(values, around) ? values[path] : undefined;
    if (kind === 'long' && value !== '' && value === before[path]) {
      return result;
    }
    const parsed = typeof value === 'string' ? parse(value.trim(), kind) : value;
    return withValue(result, membersOf(path), mayBeNone ? (parsed ?? []) : parsed);
  }, entry);
}

function parse(text: string, kind: EntryField['kind']): unknown {
  if (text === '') {
    return undefined;
  }
  if (kind === 'windows') {
    return text.split(/[,;\s]+/).map((window) => {
      const hyphened = window.replace(/[–—]/, '-');
      return hyphened.replaceAll(/\b(\d):/g, '0$1:');
    });
  }
  if (kind === 'options') {
    const options = text.split(/[,;\n]/).map((option) => option.trim());
    return options.filter((option) => option !== '');
  }
  return kind === 'number' ? numberIn(text) : text;
}

/** Returns the decimal separator of the browser's language. */
const decimalSeparator = (): string =>
  new Intl.NumberFormat().formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.';

const numberText = (value: unknown): string =>
  typeof value === 'number' ? String(value).replace('.', decimalSeparator()) : textOf(value);

/**
 * Returns the number in a text, with a decimal comma or point: `45,50`, `45.50`, `1.234,50`. A group of
 * three digits after the only separator is decided by the language. Other texts stay texts, which the
 * server refuses.
 */
export function numberIn(text: string, decimal = decimalSeparator()): number | string {
  const plain = text.replaceAll(/[\s\u2019']/g, '');
  const last = Math.max(plain.lastIndexOf(','), plain.lastIndexOf('.'));
  const isGroup =
    GROUPED.test(plain) && (plain[last] !== decimal || plain.indexOf(plain[last]) < last);
  if (last < 0 || isGroup) {
    return asNumber(plain.replaceAll(/[.,]/g, ''), text);
  }
  const whole = plain.slice(0, last);
  const digits = GROUPED.test(whole) ? whole.replaceAll(/[.,]/g, '') : whole;
  return asNumber(`${digits}.${plain.slice(last + 1)}`, text);
}

/** Groups of three digits, such as `1.234` and `1,234,567`. */
const GROUPED = /^-?\d{1,3}([.,])\d{3}(?:\1\d{3})*$/;

const asNumber = (plain: string, text: string): number | string =>
  /^-?(?:\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : text;

/** Lists are equal if their entries are. */
const isSame = (one: FormValue | undefined, other: FormValue | undefined): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);

/** Returns the fields in which two states of an entry differ. */
export function changedFields(fields: readonly EntryField[], before: Entry, now: Entry) {
  const [old, current] = [formValuesOf(fields, before), formValuesOf(fields, now)];
  return fields.filter(({ path }) => !isSame(old[path], current[path]));
}

/** Returns the values that were typed, and the current ones of all fields that were not touched. */
export function rebased(
  fields: readonly EntryField[],
  typed: FormValues,
  { before, now }: { readonly before: Entry; readonly now: Entry },
): FormValues {
  const [old, current] = [formValuesOf(fields, before), formValuesOf(fields, now)];
  const untouched = fields.filter(({ path }) => isSame(typed[path], old[path]));
  return {
    ...typed,
    ...Object.fromEntries(untouched.map(({ path }) => [path, current[path] ?? ''])),
  };
}
