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
 * What a submission says of its contact, by the fields that map to one; refuses what the contact
 * could not take. A custom field that is gone by now takes nothing.
 */
export function mappedContact(
  fields: readonly FormField[],
  values: Values,
  definitions: readonly CustomFieldDefinition[],
): ContactPatch {
  const patch: Record<string, unknown> = {};
  const customFields: Record<string, unknown> = {};
  const issues: Issue[] = [];
  const complain = (name: string, why: string | undefined) =>
    void issues.push(...(why === undefined ? [] : [fieldIssue(name, why)]));
  for (const { name, mapsTo } of fields) {
    const target = mapsTo === null ? undefined : targetOf(mapsTo);
    const value = values[name];
    // An opt-out that is not ticked is none, and takes back none.
    const isUnticked = target?.kind === 'dnd' && value !== true;
    if (!target || value === undefined || isUnticked) {
      continue;
    }
    if (target.kind === 'custom') {
      const definition = definitions.find((one) => one.name === target.name);
      if (definition) {
        const read = customValue(definition, value);
        complain(name, issueWith(definition, read));
        customFields[definition.name] = read;
      }
    } else {
      const said = memberValue(target.kind, value);
      complain(name, issuesOf(contactPatch, { [target.member]: said })[0]?.message);
      patch[target.member] = joined(patch[target.member], said);
    }
  }
  if (issues.length > 0) {
    throw invalid(issues);
  }
  return { ...patch, ...(Object.keys(customFields).length > 0 && { customFields }) };
}

/** Text of a form for a number or a switch of the contact, and the other way round. */
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

/** Several fields may map to one list. */
const joined = (before: unknown, said: unknown): unknown =>
  Array.isArray(before) && Array.isArray(said) ? [...before, ...said] : said;

type Member = keyof ContactPatch;

/** What `mapsTo` may name: a field of a contact, or one of the sub-account's custom fields. */
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

/** For whoever wrote another one. */
export const TARGETS = [
  ...WRITABLE_FIELDS.filter((name) => name !== 'customFields'),
  `${CUSTOM}NAME`,
].join(', ');
