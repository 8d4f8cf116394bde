import type { MergeValues } from '#lib/merge-fields.ts';
import type { Work } from '#core/work.ts';
import { customValuesOf } from '../../accounts/sub-accounts/sub-account.store.ts';
import { mergeValuesOf } from '../../contacts/contact.store.ts';
import type { LockedRun } from '../runs/run.store.ts';

/** Returns what only a run has: `{{contactId}}`, and its data: `{{data.amount}}`, `{{data.fields.email}}`. */
export const runValues = ({
  data,
  contactId,
}: Pick<LockedRun['run'], 'data' | 'contactId'>): MergeValues => ({
  ...Object.fromEntries(flat('data', data)),
  contactId,
});

/** Returns all merge fields of a run: the contact's, the sub-account's and the data's. */
export async function valuesOf(work: Work, { run, contact }: LockedRun): Promise<MergeValues> {
  const custom = await customValuesOf(work);
  const values = contact ? mergeValuesOf(contact, custom) : namedCustom(custom);
  return { ...values, ...runValues(run) };
}

const namedCustom = (custom: Readonly<Record<string, string>>): MergeValues =>
  Object.fromEntries(
    Object.entries(custom).map(([name, value]) => [`custom_values.${name}`, value]),
  );

const DEPTH_MAX = 4;

/** Objects as JSON: their own `toString`, which the data may hold, is not called. */
const itemText = (item: unknown): string =>
  typeof item === 'object' && item !== null ? JSON.stringify(item) : String(item);

function flat(path: string, value: unknown, depth = 0): [string, string][] {
  if (value === null || value === undefined) {
    return [];
  }
  if (typeof value !== 'object') {
    return [[path, typeof value === 'string' ? value : JSON.stringify(value)]];
  }
  if (Array.isArray(value)) {
    return [[path, value.map(itemText).join(', ')]];
  }
  return depth === DEPTH_MAX
    ? []
    : Object.entries(value).flatMap(([name, one]) => flat(`${path}.${name}`, one, depth + 1));
}
