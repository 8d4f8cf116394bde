import { didYouMean } from '#core/schema/did-you-mean.ts';
import { FORMATS, isBlank } from '#core/schema/formats.ts';
import type { CachedRead } from '#core/work.ts';
import { invalid, type Issue, ISSUES_MAX, pointerToken } from '#core/fault.ts';
import type { CustomFields } from '../contact.entity.ts';
import { refuseLargeValues } from './limit-values.ts';

export const CUSTOM_FIELD_TYPES = [
  'text',
  'number',
  'select',
  'date',
  'boolean',
  'url',
  'email',
  'phone',
] as const;

export type CustomFieldType = (typeof CUSTOM_FIELD_TYPES)[number];

export interface CustomFieldDefinition {
  readonly name: string;
  readonly label: string;
  readonly type: CustomFieldType;
  readonly options: readonly string[] | null;
  readonly isRequired: boolean;
}

export const customFieldDefinitions: CachedRead<CustomFieldDefinition> = {
  tables: ['custom_field_definitions'],
  text: `select name, label, type, options, is_required as "isRequired"
    from custom_field_definitions where sub_account_id = $1 order by position, name`,
};

const TEXT_MAX = 5_000;

/** Returns why a value does not fit a field, or undefined if it fits. */
export function issueWith(field: CustomFieldDefinition, value: unknown): string | undefined {
  switch (field.type) {
    case 'number':
      return typeof value === 'number' ? undefined : 'must be a number';
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'select':
      return field.options?.includes(value as string)
        ? undefined
        : `must be one of ${field.options?.join(', ')}`;
    case 'text':
      return textIssue(value) ?? blankIssue(field, value as string);
    case 'date':
      return textIssue(value) ?? formatIssue('date', value as string);
    case 'url':
      return textIssue(value) ?? formatIssue('uri', value as string);
    case 'email':
      return textIssue(value) ?? formatIssue('email', value as string);
    case 'phone':
      return textIssue(value) ?? formatIssue('e164', value as string);
  }
}

function textIssue(value: unknown): string | undefined {
  if (typeof value !== 'string') {
    return 'must be text';
  }
  return value.length > TEXT_MAX ? `must have at most ${TEXT_MAX} characters` : undefined;
}

/** A blank text would clear a required field. */
const blankIssue = ({ isRequired }: CustomFieldDefinition, value: string): string | undefined =>
  isRequired && isBlank(value) ? 'must not be blank' : undefined;

function formatIssue(format: string, value: string): string | undefined {
  const known = FORMATS[format];
  return known && !known.test(value) ? known.says : undefined;
}

/** Parses the text of a number or boolean field. Any other text is returned as it is. */
export function parseText(field: CustomFieldDefinition, text: string): unknown {
  if (field.type === 'number' && /^\s*-?\d{1,15}(?:\.\d{1,15})?\s*$/.test(text)) {
    return Number(text);
  }
  if (field.type === 'boolean' && /^(?:true|false)$/i.test(text)) {
    return text.toLowerCase() === 'true';
  }
  return text;
}

type CustomValuesInput = Readonly<Record<string, unknown>> | null | undefined;

/**
 * Returns the values of a new contact. Throws for unknown keys, wrong types, missing values, and values
 * that are too large together.
 */
export function newCustomValues(
  definitions: readonly CustomFieldDefinition[],
  input: CustomValuesInput,
): CustomFields {
  const { values, issues } = merge(definitions, { stored: {}, moved: {} }, input ?? {});
  for (const { name, isRequired } of definitions) {
    if (isRequired && !Object.hasOwn(values, name) && !issues.some(isAbout(name))) {
      issues.push(issue(name, 'is required'));
    }
  }
  throwIfAny(issues);
  refuseLargeValues({}, values);
  return values;
}

interface MergeOptions {
  /** Path of the body's field that asks for the change. */
  readonly blamed?: string | undefined;
  /** Values that another record brings along: like stored ones, they are not checked. */
  readonly moved?: CustomFields | undefined;
}

/**
 * Merges by key: null clears a value, and null for the whole clears all. A value that is already
 * stored is accepted even if its field has changed or is gone. Throws if the values would become too
 * large together.
 */
export function mergedCustomValues(
  definitions: readonly CustomFieldDefinition[],
  stored: CustomFields,
  input: CustomValuesInput,
  { blamed, moved = {} }: MergeOptions = {},
): CustomFields {
  const changes =
    input === null ? Object.fromEntries(Object.keys(stored).map((name) => [name, null])) : input;
  const { values, issues } = merge(definitions, { stored, moved }, changes ?? {});
  throwIfAny(issues);
  refuseLargeValues(stored, values, blamed);
  return values;
}

function merge(
  definitions: readonly CustomFieldDefinition[],
  { stored, moved }: { readonly stored: CustomFields; readonly moved: CustomFields },
  changes: Readonly<Record<string, unknown>>,
): { values: CustomFields; issues: Issue[] } {
  const byName = new Map(definitions.map((field) => [field.name, field]));
  const values = new Map(Object.entries(stored));
  const movedValues = new Map(Object.entries(moved));
  const issues: Issue[] = [];
  for (const [name, value] of Object.entries(changes)) {
    // A client may write back what it has read, even if the field has changed or is gone.
    if (value !== null && values.get(name) === value) {
      continue;
    }
    const field = byName.get(name);
    const isClearing = value === null;
    const isMoved = !isClearing && movedValues.get(name) === value;
    const message = isMoved
      ? undefined
      : !field && !(isClearing && values.has(name))
        ? unknownField(name, issues.length < ISSUES_MAX ? definitions : [])
        : isClearing
          ? field?.isRequired
            ? 'is required and cannot be cleared'
            : undefined
          : field && issueWith(field, value);
    if (message) {
      issues.push(issue(name, message));
    } else if (isClearing) {
      values.delete(name);
    } else {
      values.set(name, value as string | number | boolean);
    }
  }
  return { values: Object.fromEntries(values), issues };
}

function throwIfAny(issues: readonly Issue[]): void {
  if (issues.length > 0) {
    throw invalid(issues);
  }
}

/** The known fields are listed up to this number. */
const LISTED_MAX = 20;

/** Says that a custom field is unknown, which one may have been meant, and which ones exist. */
export function unknownField(name: string, definitions: readonly CustomFieldDefinition[]): string {
  const names = definitions.map((field) => field.name);
  const known =
    names.length === 0
      ? 'it has none; define them in the section customFields of the manifest'
      : `it has ${names.slice(0, LISTED_MAX).join(', ')}${names.length > LISTED_MAX ? ', …' : ''}`;
  return `is not a custom field of this sub-account${didYouMean(name, names).replace('?', '')}; ${known}`;
}

const pathOf = (name: string) => `/customFields/${pointerToken(name)}`;
const isAbout = (name: string) => (issue: Issue) => issue.path === pathOf(name);
const issue = (name: string, message: string): Issue => ({
  in: 'body',
  path: pathOf(name),
  message,
});
