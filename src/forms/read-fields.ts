import { pointerToken } from '#core/schema/check.ts';
import { invalid, type Issue } from '#core/fault.ts';
import type { FormField } from './form-entry.ts';
import { HONEYPOT } from './challenge/honeypot.ts';
import { readValue, type FieldValue } from './read-value.ts';

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
