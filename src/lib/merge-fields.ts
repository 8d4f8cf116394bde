/** What merge fields stand for, by name: `firstName`, `custom_values.booking_link`. */
export type MergeValues = Readonly<Record<string, string | null | undefined>>;

/**
 * Puts the values in the place of `{{name}}`. What is unknown or empty becomes nothing, and a value
 * that holds a field of its own is not read again.
 */
export const mergedText = (text: string, values: MergeValues): string =>
  merged(text, (name) => valueOf(values, name));

/** The same for HTML: values are text there, never markup. */
export const mergedHtml = (html: string, values: MergeValues): string =>
  merged(html, (name) => escapedHtml(valueOf(values, name)));

/** The same for a header of a mail, on one line. */
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

/** Safe as the text of an element and between the quotes of an attribute. */
export const escapedHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
