import { escapedHtml } from './html.ts';
import { Fault } from '#core/fault.ts';

/**
 * The most characters of a merged text. Fields repeat their values: 500 kB of fields with values of
 * 10 kB would be 260 MB, and values of 1 MB would end the process.
 */
const MERGED_MAX = 2_000_000;

/** Throws VALIDATION_ERROR for a merged text that is too long. */
export function refuseLongText(length: number, max = MERGED_MAX): void {
  if (length > max) {
    throw new Fault(
      'VALIDATION_ERROR',
      `the text is too long with its merge fields filled in: at most ${max} characters are allowed`,
    );
  }
}

/** Values of merge fields by name: `firstName`, `custom_values.booking_link`. */
export type MergeValues = Readonly<Record<string, string | null | undefined>>;

/** A field in a text: `{{name}}` or `{{name|fallback}}`. */
export interface MergeField {
  readonly name: string;
  /** Used where the value is null or empty. */
  readonly fallback: string;
}

/**
 * Replaces `{{name}}` with its value, and `{{name|fallback}}` with the fallback where the value is null
 * or empty. Unknown fields without a fallback become nothing. Fields inside values are not replaced.
 */
export const mergedText = (text: string, values: MergeValues): string =>
  mapFields(text, (field) => valueOf(field, values));

/** Does so in HTML: values and fallbacks are escaped. */
export const mergedHtml = (html: string, values: MergeValues): string =>
  mapFields(html, (field) => escapedHtml(valueOf(field, values)));

/** Does so in a header of a mail: the result is one line. */
export const mergedSubject = (subject: string, values: MergeValues): string =>
  mergedText(subject, values).replaceAll(LINE_BREAKS, '');

/**
 * Replaces every field of a text. This is the only parser of merge fields. Throws VALIDATION_ERROR
 * before the result has more than `MERGED_MAX` characters.
 */
export function mapFields(
  text: string,
  replace: (field: MergeField, source: string) => string,
): string {
  let { length } = text;
  return text.replaceAll(
    FIELD,
    (source, name: string | undefined, fallback: string | undefined) => {
      const value = replace(fieldOf(name, fallback), source);
      length += value.length - source.length;
      refuseLongText(length);
      return value;
    },
  );
}

/** Returns the texts around the fields, one more than there are fields, and the fields. */
export function splitFields(template: string): {
  readonly texts: readonly string[];
  readonly fields: readonly MergeField[];
} {
  const parts = template.split(FIELD);
  const texts: string[] = [];
  const fields: MergeField[] = [];
  // `split` puts the two groups of each field between the texts.
  for (let at = 0; at < parts.length; at += 3) {
    texts.push(parts[at] ?? '');
    if (at + 1 < parts.length) {
      fields.push(fieldOf(parts[at + 1], parts[at + 2]));
    }
  }
  return { texts, fields };
}

/** A field without a value for any recipient, such as a misspelt name. */
export interface UnknownField {
  /** As written, such as `{{fristName}}`. */
  readonly source: string;
  /** What every recipient sees instead; empty for nothing. */
  readonly fallback: string;
}

/** Returns the fields of texts that `values` does not name, each once. */
export function unknownFieldsIn(texts: readonly string[], values: MergeValues): UnknownField[] {
  const found = new Map<string, UnknownField>();
  for (const text of texts) {
    mapFields(text, ({ name, fallback }, source) => {
      if (!Object.hasOwn(values, name)) {
        found.set(source, { source, fallback });
      }
      return '';
    });
  }
  return [...found.values()];
}

/** Returns how often a text has a field. */
export const countFields = (text: string, name: string): number =>
  splitFields(text).fields.filter((field) => field.name === name).length;

/** Returns the value of a field, else its fallback. */
export const valueOf = ({ name, fallback }: MergeField, values: MergeValues): string =>
  (Object.hasOwn(values, name) ? values[name] : '') || fallback;

/**
 * A name, and a fallback without `|` and `}}`. Other text in double braces, such as a second `|`, is a
 * field without a name, which becomes nothing.
 */
const FIELD = /\{\{(?:([^{}|]*)(?:\|((?:(?!\}\})[^|])*))?|[^{}]*)\}\}/g;
const LINE_BREAKS = /[\n\v\f\r\u0085\u2028\u2029]+/g;

const fieldOf = (name = '', fallback = ''): MergeField => ({
  name: name.trim(),
  fallback: fallback.trim(),
});
