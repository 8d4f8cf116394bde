import { invalid, type Issue, pointerToken } from '#core/fault.ts';
import { issuesOf } from '#core/schema/check.ts';
import { FORMATS, isBlank } from '#core/schema/formats.ts';
import { contactPatch, type ContactPatch, WRITABLE_FIELDS } from '../contacts/contact.schema.ts';
import {
  issueWith,
  parseText,
  type CustomFieldDefinition,
} from '../contacts/fields/custom-field.ts';
import type { FormField } from './form-entry.ts';

/** Submitted values by field name. */
export type Values = Readonly<Record<string, FieldValue>>;

/**
 * Returns the values of a submission, without those of fields whose condition does not hold. Throws one
 * fault for all unknown, missing and invalid ones.
 */
export function readFields(
  fields: readonly FormField[],
  input: Readonly<Record<string, unknown>>,
): Values {
  const known = new Set([HONEYPOT, ...fields.map(({ name }) => name)]);
  const issues = Object.keys(input)
    .filter((name) => !known.has(name))
    .map((name) => fieldIssue(name, 'is not a field of this form'));
  const values = new Map<string, SentValue>();
  for (const field of fields) {
    const { name } = field;
    if (!isShown(field, values)) {
      continue;
    }
    const read = readValue(field, Object.hasOwn(input, name) ? input[name] : undefined);
    if ('issue' in read) {
      issues.push(fieldIssue(name, read.issue));
    } else if (read.value !== undefined) {
      values.set(name, read.value);
    }
  }
  if (issues.length > 0) {
    throw invalid(issues);
  }
  return Object.fromEntries(values);
}

/** Returns whether a field is asked for: its condition holds for the values so far. */
const isShown = (
  { showIf }: Pick<FormField, 'showIf'>,
  values: ReadonlyMap<string, SentValue>,
): boolean => !showIf || String(values.get(showIf.field) ?? false) === showIf.equals;

export const fieldIssue = (name: string, message: string): Issue => ({
  in: 'body',
  path: `/fields/${pointerToken(name)}`,
  message,
});

const LINE_MAX = 1_000;
const TEXT_MAX = 10_000;
const NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/;

/** A file as submissions and events show it. */
interface FileValue {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly url: string;
}

/** A value as visitors send it; the one of a file is a token. */
type SentValue = string | number | boolean;

export type FieldValue = SentValue | FileValue;

/** A value, nothing, or the reason why the input is invalid. */
type ReadResult = { readonly value?: SentValue } | { readonly issue: string };

/** Reads the value of a field as programs and browsers send it. Blank text is no value. */
export function readValue(field: FormField, input: unknown): ReadResult {
  if (field.type === 'checkbox') {
    return readCheckbox(field, input);
  }
  if (field.type === 'number' && typeof input === 'number') {
    return { value: input };
  }
  const isScalar = typeof input === 'string' || typeof input === 'number';
  if (!isScalar && input !== undefined && input !== null) {
    return { issue: field.type === 'number' ? 'must be a number' : 'must be text' };
  }
  const text = String(input ?? '')
    .replaceAll('\r\n', '\n')
    .trim();
  if (isBlank(text)) {
    return field.required ? { issue: 'is required' } : {};
  }
  return readText(field, text);
}

/** A required checkbox must be ticked. */
function readCheckbox({ required }: FormField, input: unknown): ReadResult {
  const value = CHECKBOX.get(typeof input === 'string' ? input.toLowerCase() : input);
  if (required && !value) {
    return { issue: 'is required' };
  }
  if (value === undefined) {
    return input === undefined || input === null ? {} : { issue: 'must be true or false' };
  }
  return { value };
}

/** The notations of JSON and of browsers. */
const CHECKBOX = new Map<unknown, boolean>([
  [true, true],
  ['true', true],
  ['on', true],
  [false, false],
  ['false', false],
  ['', false],
]);

function readText({ type, options }: FormField, text: string): ReadResult {
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
      // Visitors write numbers in groups.
      return formatted('e164', text.replaceAll(/[\s().–/-]/g, ''));
    case 'date':
      return formatted('date', text);
    case 'url':
      return formatted('uri', text);
    case 'textarea':
      return bounded(text, TEXT_MAX);
    case 'text':
    case 'checkbox':
    case 'file':
      return bounded(text, LINE_MAX);
  }
}

function formatted(format: string, text: string): ReadResult {
  const known = FORMATS[format];
  return known && !known.test(text) ? { issue: known.says } : bounded(text, LINE_MAX);
}

const bounded = (value: string, max: number): ReadResult =>
  value.length > max ? { issue: `must have at most ${max} characters` } : { value };

/** A field hidden from people: only robots fill it in (contract 8). */
export const HONEYPOT = 'website';

export const isCaught = (fields: Readonly<Record<string, unknown>>): boolean =>
  Object.hasOwn(fields, HONEYPOT) && ![undefined, null, '', false].includes(fields[HONEYPOT] as '');

/**
 * Returns the contact fields of a submission, by `mapsTo`. Throws for values that the contact's fields
 * do not accept. A custom field that no longer exists is ignored.
 */
export function mappedContact(
  fields: readonly FormField[],
  values: Values,
  definitions: readonly CustomFieldDefinition[],
): ContactPatch {
  const patch: Record<string, unknown> = {};
  const customFields: Record<string, unknown> = {};
  const issues: Issue[] = [];
  const report = (name: string, message: string | undefined) =>
    void issues.push(...(message === undefined ? [] : [fieldIssue(name, message)]));
  for (const { name, mapsTo } of fields) {
    const target = mapsTo === null ? undefined : targetOf(mapsTo);
    const value = values[name];
    // An unticked opt-out does not withdraw an earlier one.
    const isUnticked = target?.kind === 'dnd' && value !== true;
    if (!target || value === undefined || typeof value === 'object' || isUnticked) {
      continue;
    }
    if (target.kind === 'custom') {
      const definition = definitions.find((one) => one.name === target.name);
      if (definition) {
        const parsed = customValue(definition, value);
        report(name, issueWith(definition, parsed));
        customFields[definition.name] = parsed;
      }
    } else {
      const parsed = memberValue(target.kind, value);
      report(name, issuesOf(contactPatch, { [target.member]: parsed })[0]?.message);
      patch[target.member] = joined(patch[target.member], parsed);
    }
  }
  if (issues.length > 0) {
    throw invalid(issues);
  }
  return { ...patch, ...(Object.keys(customFields).length > 0 && { customFields }) };
}

/** Converts text to the number or boolean of a custom field, and numbers and booleans to text. */
function customValue(definition: CustomFieldDefinition, value: SentValue): unknown {
  if (typeof value === 'string') {
    return parseText(definition, value);
  }
  const takesText = !['number', 'boolean'].includes(definition.type);
  return takesText ? String(value) : value;
}

function memberValue(kind: Exclude<Target['kind'], 'custom'>, value: SentValue): unknown {
  switch (kind) {
    case 'text':
      return String(value);
    case 'list':
      return [String(value)];
    case 'dnd':
      return { all: value };
  }
}

/** Several fields may map to the same list. */
const joined = (before: unknown, value: unknown): unknown =>
  Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value;

type Member = keyof ContactPatch;

/** A target of `mapsTo`: a field of the contact, or a custom field. */
type Target =
  | { readonly kind: 'text' | 'list' | 'dnd'; readonly member: Member }
  | { readonly kind: 'custom'; readonly name: string };

const CUSTOM = 'customFields.';
const LISTS: ReadonlySet<Member> = new Set(['tags', 'additionalEmails', 'additionalPhones']);

export function targetOf(mapsTo: string): Target | undefined {
  if (mapsTo.startsWith(CUSTOM)) {
    return { kind: 'custom', name: mapsTo.slice(CUSTOM.length) };
  }
  const member = WRITABLE_FIELDS.find((name) => name === mapsTo && name !== 'customFields');
  return member && { kind: kindOf(member), member };
}

const kindOf = (member: Member): 'text' | 'list' | 'dnd' =>
  member === 'dnd' ? 'dnd' : LISTS.has(member) ? 'list' : 'text';

/** Every target, for the refusal of an unknown one. */
export const TARGETS = [
  ...WRITABLE_FIELDS.filter((name) => name !== 'customFields'),
  `${CUSTOM}NAME`,
].join(', ');
