/** An entry of the manifest, as the server exports it. */
export type Entry = Readonly<Record<string, unknown>>;

/** A member of an entry that a form edits. */
export interface EntryField {
  /** Members from the entry down, such as `buffers/before`. */
  readonly path: string;
  readonly label: string;
  /**
   * `windows` are opening hours such as `09:00-12:00, 13:00-17:00`. A `secret` is not shown again: an
   * empty one stays as it is stored.
   */
  readonly kind: 'text' | 'long' | 'number' | 'switch' | 'windows' | 'secret';
  readonly isRequired?: boolean;
  /** A switch that is on where the entry does not say. */
  readonly isOnByDefault?: boolean;
  /** Shown while the field is empty: what then applies. */
  readonly hint?: string;
}

const SEPARATOR = ', ';

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

/** What a form shows: texts, and booleans of switches. */
export type FormValues = Readonly<Record<string, string | boolean>>;

/** Returns the values of an entry as a form shows them. */
export const formValuesOf = (fields: readonly EntryField[], entry: Entry): FormValues =>
  Object.fromEntries(
    fields.map(({ path, kind, isOnByDefault = false }) => {
      const value = valueAt(entry, path);
      if (kind === 'switch') {
        return [path, typeof value === 'boolean' ? value : isOnByDefault];
      }
      if (kind === 'windows') {
        return [path, Array.isArray(value) ? value.join(SEPARATOR) : ''];
      }
      return [path, textOf(value)];
    }),
  );

/** Returns the entry with the values of a form. An empty field is left out, so that its default applies. */
export function entryOf(fields: readonly EntryField[], entry: Entry, values: FormValues): Entry {
  return fields.reduce((result, { path, kind }) => {
    const value = values[path];
    return withValue(
      result,
      membersOf(path),
      typeof value === 'string' ? parse(value.trim(), kind) : value,
    );
  }, entry);
}

function parse(text: string, kind: EntryField['kind']): unknown {
  if (text === '') {
    return undefined;
  }
  if (kind === 'windows') {
    return text.split(/[,;\s]+/).map((window) => window.replace(/[–—]/, '-'));
  }
  return kind === 'number' && !Number.isNaN(Number(text)) ? Number(text) : text;
}

/** Returns the fields in which two states of an entry differ. */
export function changedFields(fields: readonly EntryField[], before: Entry, now: Entry) {
  const [old, current] = [formValuesOf(fields, before), formValuesOf(fields, now)];
  return fields.filter(({ path }) => old[path] !== current[path]);
}

/** Returns the values that were typed, and the current ones of all fields that were not touched. */
export function rebased(
  fields: readonly EntryField[],
  typed: FormValues,
  { before, now }: { readonly before: Entry; readonly now: Entry },
): FormValues {
  const [old, current] = [formValuesOf(fields, before), formValuesOf(fields, now)];
  const untouched = fields.filter(({ path }) => typed[path] === old[path]);
  return {
    ...typed,
    ...Object.fromEntries(untouched.map(({ path }) => [path, current[path] ?? ''])),
  };
}
