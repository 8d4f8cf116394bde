import { pointerToken } from '#core/schema/check.ts';
import { invalid, type Issue } from '#core/fault.ts';
import type { CustomFields } from '../contact.entity.ts';
import { issueWith, type CustomFieldDefinition } from './custom-field.ts';

type CustomValuesInput = Readonly<Record<string, unknown>> | null | undefined;

/** Returns the values of a new contact. Throws for unknown keys, wrong types and missing values. */
export function newCustomValues(
  definitions: readonly CustomFieldDefinition[],
  input: CustomValuesInput,
): CustomFields {
  const { values, issues } = merge(definitions, {}, input ?? {});
  for (const { name, isRequired } of definitions) {
    if (isRequired && !Object.hasOwn(values, name) && !issues.some(isAbout(name))) {
      issues.push(issue(name, 'is required'));
    }
  }
  return valuesOrThrow(values, issues);
}

/**
 * Merges by key: null clears a value, and null for the whole clears all. A value that is already
 * stored is accepted even if its field has changed or is gone.
 */
export function mergedCustomValues(
  definitions: readonly CustomFieldDefinition[],
  stored: CustomFields,
  input: CustomValuesInput,
): CustomFields {
  const changes =
    input === null ? Object.fromEntries(Object.keys(stored).map((name) => [name, null])) : input;
  const { values, issues } = merge(definitions, stored, changes ?? {});
  return valuesOrThrow(values, issues);
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
    // A client may write back what it has read, even if the field has changed or is gone.
    if (value !== null && values.get(name) === value) {
      continue;
    }
    const field = byName.get(name);
    const isClearing = value === null;
    const message =
      !field && !(isClearing && values.has(name))
        ? 'is not a custom field of this sub-account'
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

function valuesOrThrow(values: CustomFields, issues: readonly Issue[]): CustomFields {
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
