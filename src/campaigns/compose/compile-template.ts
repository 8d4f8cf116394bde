import { refuseLongText, splitFields, type MergeValues } from '#lib/merge-fields.ts';

/** Encodes texts and the values of merge fields. Encoded pieces can be concatenated. */
interface Encoding {
  readonly text: (text: string) => string;
  readonly value: (value: string) => string;
}

/** The most characters of the values in a text as they are sent: a quotation mark in HTML becomes six. */
const ENCODED_MAX = 4_000_000;

/** Leaves room for the values of many recipients beside those that all mails have. */
const REMEMBERED_MAX = 2 * ENCODED_MAX;

/**
 * Splits and encodes a text with merge fields once: per recipient, only values that are new are encoded.
 * Unknown and empty fields become their fallback, else empty text. The function throws
 * VALIDATION_ERROR before the result has more than `MERGED_MAX` characters, or its encoded values more than
 * `ENCODED_MAX`.
 */
export function compileTemplate(
  template: string,
  { text, value }: Encoding,
): (values: MergeValues) => string {
  const { texts, fields } = splitFields(template);
  const [first = '', ...rest] = texts.map(text);
  const parts = fields.map(({ name, fallback }, at) => ({
    name,
    fallback: fallback && value(fallback),
    after: rest[at] ?? '',
  }));
  const encode = rememberEncoded(value);
  return (values) => {
    let merged = first;
    let { length } = template;
    let encodedLength = 0;
    for (const { name, fallback, after } of parts) {
      const found = Object.hasOwn(values, name) ? values[name] : '';
      length += found?.length ?? 0;
      refuseLongText(length);
      const encoded = found ? encode(found) : fallback;
      encodedLength += encoded.length;
      refuseLongText(encodedLength, ENCODED_MAX);
      merged += encoded + after;
    }
    return merged;
  };
}

/** Encodes a value once, however many fields and recipients have it. */
function rememberEncoded(encode: (value: string) => string): (value: string) => string {
  const known = new Map<string, string>();
  let size = 0;
  return (value) => {
    const found = known.get(value);
    if (found !== undefined) {
      return found;
    }
    const encoded = encode(value);
    size += encoded.length;
    if (size > REMEMBERED_MAX) {
      known.clear();
      size = encoded.length;
    }
    known.set(value, encoded);
    return encoded;
  };
}
