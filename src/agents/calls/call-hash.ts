import { hash } from 'node:crypto';
import type { Arguments } from '../tools/action.ts';

/** Returns the same text for equal calls: the order of arguments does not matter. */
export const callHash = (tool: string, given: Arguments): string =>
  hash('sha256', JSON.stringify([tool, sorted(given)]), 'base64url');

/** Returns the value with the members of its objects in the order of their names. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(sorted);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return members.map(([name, member]) => [name, sorted(member)]);
}
