import { mapFields, splitFields, valueOf, type MergeValues } from './merge-fields.ts';

/**
 * Replaces the merge fields of a URL. Values and fallbacks are encoded; where that does not keep them
 * from changing its structure, `urlRefusal` says so.
 */
export const mergedUrl = (url: string, values: MergeValues): string =>
  mapFields(url, (field) => encodeURIComponent(valueOf(field, values)));

/** Values that the business itself sets. All others may come from a visitor. */
const OWN = 'custom_values.';

/**
 * Returns the merge fields in the host of a URL whose values may come from a visitor, such as a first
 * name or the data of a form. They would choose who gets the request with its headers.
 */
export function openFieldsInHost(url: string): readonly string[] {
  const { texts, fields } = splitFields(url);
  return fields
    .filter((_, at) => isInHost(texts.slice(0, at + 1).join('x')))
    .flatMap(({ name }) => (name.startsWith(OWN) ? [] : [`{{${name}}}`]));
}

/** Any number of slashes may precede a host. */
const isInHost = (before: string): boolean =>
  !/[/?#\\]/.test(before.replace(/^https?:[/\\]*/i, ''));

/**
 * Returns the segments of the path, such as `..`, by which a value would lead to another path: encoding
 * does not change dots.
 */
function movingSegments(url: string, values: MergeValues): readonly string[] {
  const marked = mapFields(url, (field) => MARK + encodeURIComponent(valueOf(field, values)));
  const [path = ''] = marked.split(/[?#]/);
  return path
    .split(/[/\\]/)
    .filter((segment) => segment.includes(MARK))
    .map((segment) => segment.replaceAll(MARK, ''))
    .filter((segment) => DOTS.test(segment));
}

/** Stands before each value; no URL contains it. */
const MARK = '\0';
const DOTS = /^(?:\.|%2e){1,2}$/i;

/** Why a URL with these values must not be called; undefined if it may be. */
export function urlRefusal(url: string, values: MergeValues): string | undefined {
  const [field] = openFieldsInHost(url);
  if (field !== undefined) {
    return `${field} in the host of the URL would let a contact choose who gets the call`;
  }
  const [segment] = movingSegments(url, values);
  return segment === undefined
    ? undefined
    : `a merge field makes "${segment}" a part of the path, which leads to another address`;
}
