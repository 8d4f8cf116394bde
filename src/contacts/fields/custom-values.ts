import { pointerToken } from '#core/schema/check.ts';
import { invalid, type Issue } from '#core/fault.ts';
import type { CustomFields } from '../contact.entity.ts';
import { issueWith, type CustomFieldDefinition } from './custom-field.ts';

type CustomValuesInput = Readonly<Record<string, unknown>> | null | undefined;

/** The values of a new contact. Unknown keys, wrong types and missing required ones are refused. */
export function newCustomValues(
  definitions: readonly CustomFieldDefinition[],
  given: CustomValuesInput,
): CustomFields {
  const { values, issues } = merge(definitions, {}, given ?? {});
  for (const { name, isRequired } of definitions) {
    if (isRequired && !Object.hasOwn(values, name) && !issues.some(isAbout(name))) {
      issues.push(issue(name, 'is required'));
    }
  }
  return orRefuse(values, issues);
}

/**
 * Merges by key; null clears, and all of them where null is given for the whole. A value that is stored
 * already is accepted whatever its field has become.
 */
export function mergedCustomValues(
  definitions: readonly CustomFieldDefinition[],
  stored: CustomFields,
  given: CustomValuesInput,
): CustomFields {
  const changes =
    given === null ? Object.fromEntries(Object.keys(stored).map((name) => [name, null])) : given;
  const { values, issues } = merge(definitions, stored, changes ?? {});
  return orRefuse(values, issues);
}

function merge(
  definitions: readonly CustomFieldDefinition[],
  stored: CustomFields,
  changes: Readonly<Record<string, unknown>>,
): { values: CustomFields; issues: Issue[] } {
  const byName = new Map(definitions.map((field) => [field.name, field]));
  const values = new Map(Object.entries(stored));
  const issues: Issue[] = [];
  for (const [name, value] of Object.entries(changes)) {
    // Writing back what was read must work, also once the field has other rules or is gone.
    if (value !== null && values.get(name) === value) {
      continue;
    }
    const field = byName.get(name);
    const isClearing = value === null;
    const why =
      !field && !(isClearing && values.has(name))
        ? 'is not a custom field of this sub-account'
        : isClearing
          ? field?.isRequired
            ? 'is required and cannot be cleared'
            : undefined
          : field && issueWith(field, value);
    if (why) {
      issues.push(issue(name, why));
    } else if (isClearing) {
      values.delete(name);
    } else {
      values.set(name, value as string | number | boolean);
    }
  }
  return { values: Object.fromEntries(values), issues };
}

function orRefuse(values: CustomFields, issues: readonly Issue[]): CustomFields {
  if (issues.length > 0) {
    throw invalid(issues);
  }
  return values;
}

const pathOf = (name: string) => `/customFields/${pointerToken(name)}`;
const isAbout = (name: string) => (issue: Issue) => issue.path === pathOf(name);
const issue = (name: string, message: string): Issue => ({
  in: 'body',
  path: pathOf(name),
  message,
});
