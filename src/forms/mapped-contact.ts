import { issuesOf } from '#core/schema/check.ts';
import { invalid, type Issue } from '#core/fault.ts';
import { contactPatch, type ContactPatch, WRITABLE_FIELDS } from '../contacts/contact.schema.ts';
import {
  issueWith,
  parseText,
  type CustomFieldDefinition,
} from '../contacts/fields/custom-field.ts';
import type { FormField } from './form-entry.ts';
import { fieldIssue, type Values, type FieldValue } from './read-fields.ts';

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
    if (!target || value === undefined || isUnticked) {
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
function customValue(definition: CustomFieldDefinition, value: FieldValue): unknown {
  if (typeof value === 'string') {
    return parseText(definition, value);
  }
  const takesText = !['number', 'boolean'].includes(definition.type);
  return takesText ? String(value) : value;
}

function memberValue(kind: Exclude<Target['kind'], 'custom'>, value: FieldValue): unknown {
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
export type Target =
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
