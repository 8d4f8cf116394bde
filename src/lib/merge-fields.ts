/** Values of merge fields by name: `firstName`, `custom_values.booking_link`. */
export type MergeValues = Readonly<Record<string, string | null | undefined>>;

/**
 * Replaces `{{name}}` with its value, and unknown fields with nothing. Fields inside values are not
 * replaced.
 */
export const mergedText = (text: string, values: MergeValues): string =>
  merged(text, (name) => valueOf(values, name));

/** Does so in HTML: values are escaped. */
export const mergedHtml = (html: string, values: MergeValues): string =>
  merged(html, (name) => escapedHtml(valueOf(values, name)));

/** Does so in a header of a mail: the result is one line. */
export const mergedSubject = (subject: string, values: MergeValues): string =>
  mergedText(subject, values).replaceAll(LINE_BREAKS, '');

const FIELD = /\{\{([^{}]*)\}\}/g;
const LINE_BREAKS = /[\n\v\f\r\u0085\u2028\u2029]+/g;

const merged = (text: string, valueOfName: (name: string) => string): string =>
  text.replaceAll(FIELD, (_, name: string) => valueOfName(name.trim()));

const valueOf = (values: MergeValues, name: string): string =>
  Object.hasOwn(values, name) ? (values[name] ?? '') : '';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes for the text of an element and for quoted attributes. */
export const escapedHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '');

/** Removes characters that headers cannot contain: the request would fail at every attempt. */
export const headerSafe = (text: string): string => text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '');
