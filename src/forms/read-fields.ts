import { pointerToken } from '#core/schema/check.ts';
import { invalid, type Issue } from '#core/fault.ts';
import type { FormField } from './form-entry.ts';
import { FORMATS } from '#core/schema/formats.ts';

/** What was filled in, by the names of the fields. */
export type Values = Readonly<Record<string, FieldValue>>;

/** The values of a submission; refuses unknown, missing and wrong ones, all of them at once. */
export function readFields(
  fields: readonly FormField[],
  given: Readonly<Record<string, unknown>>,
): Values {
  const known = new Set([HONEYPOT, ...fields.map(({ name }) => name)]);
  const issues = Object.keys(given)
    .filter((name) => !known.has(name))
    .map((name) => fieldIssue(name, 'is not a field of this form'));
  const values: [string, FieldValue][] = [];
  for (const field of fields) {
    const { name } = field;
    const read = readValue(field, Object.hasOwn(given, name) ? given[name] : undefined);
    if ('issue' in read) {
      issues.push(fieldIssue(name, read.issue));
    } else if (read.value !== undefined) {
      values.push([name, read.value]);
    }
  }
  if (issues.length > 0) {
    throw invalid(issues);
  }
  return Object.fromEntries(values);
}

export const fieldIssue = (name: string, message: string): Issue => ({
  in: 'body',
  path: `/fields/${pointerToken(name)}`,
  message,
});

const LINE_MAX = 1_000;
const TEXT_MAX = 10_000;
const NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/;

export type FieldValue = string | number | boolean;

/** What a field made of what it was given: a value, nothing, or why not. */
export type Read = { readonly value?: FieldValue } | { readonly issue: string };

/** Reads what a program or a browser sends for a field; blank is nothing. */
export function readValue(field: FormField, given: unknown): Read {
  if (field.type === 'checkbox') {
    return readCheckbox(field, given);
  }
  if (field.type === 'number' && typeof given === 'number') {
    return { value: given };
  }
  const isScalar = typeof given === 'string' || typeof given === 'number';
  if (!isScalar && given !== undefined && given !== null) {
    return { issue: field.type === 'number' ? 'must be a number' : 'must be text' };
  }
  const text = String(given ?? '')
    .replaceAll('\r\n', '\n')
    .trim();
  if (text === '') {
    return field.required ? { issue: 'is required' } : {};
  }
  return readText(field, text);
}

/** A required one is to be ticked. */
function readCheckbox({ required }: FormField, given: unknown): Read {
  const value = CHECKBOX.get(typeof given === 'string' ? given.toLowerCase() : given);
  if (required && !value) {
    return { issue: 'is required' };
  }
  if (value === undefined) {
    return given === undefined || given === null ? {} : { issue: 'must be true or false' };
  }
  return { value };
}

/** As JSON says it, and as browsers do. */
const CHECKBOX = new Map<unknown, boolean>([
  [true, true],
  ['true', true],
  ['on', true],
  [false, false],
  ['false', false],
  ['', false],
]);

function readText({ type, options }: FormField, text: string): Read {
  switch (type) {
    case 'number':
      return NUMBER.test(text) ? { value: Number(text) } : { issue: 'must be a number' };
    case 'select': {
      const value = options?.find((option) => option.trim() === text);
      return value === undefined ? { issue: `must be one of ${options?.join(', ')}` } : { value };
    }
    case 'email':
      return formatted('email', text);
    case 'phone':
      // People write numbers in groups.
      return formatted('e164', text.replaceAll(/[\s().–/-]/g, ''));
    case 'date':
      return formatted('date', text);
    case 'url':
      return formatted('uri', text);
    case 'textarea':
      return bounded(text, TEXT_MAX);
    case 'text':
    case 'checkbox':
      return bounded(text, LINE_MAX);
  }
}

function formatted(format: string, text: string): Read {
  const known = FORMATS[format];
  return known && !known.test(text) ? { issue: known.says } : bounded(text, LINE_MAX);
}

const bounded = (value: string, max: number): Read =>
  value.length > max ? { issue: `must have at most ${max} characters` } : { value };

/** A field that people do not see: whoever fills it in is a robot (contract 8). */
export const HONEYPOT = 'website';

/** Anything but nothing. */
export const isCaught = (fields: Readonly<Record<string, unknown>>): boolean =>
  Object.hasOwn(fields, HONEYPOT) && ![undefined, null, '', false].includes(fields[HONEYPOT] as '');
