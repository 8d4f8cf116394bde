import { invalidField } from '#core/fault.ts';
import type { FreeFields } from './opportunity.entity.ts';
import { FREE_FIELDS_MAX } from './opportunity.schema.ts';

type FreeFieldsInput =
  | Readonly<Record<string, string | number | boolean | null>>
  | null
  | undefined;

/** Merges by key: null clears a value, and null for the whole clears all. */
export function mergedFreeFields(stored: FreeFields, input: FreeFieldsInput): FreeFields {
  const values = new Map(input === null ? [] : Object.entries(stored));
  for (const [name, value] of Object.entries(input ?? {})) {
    if (value === null) {
      values.delete(name);
    } else {
      values.set(name, value);
    }
  }
  if (values.size > FREE_FIELDS_MAX) {
    throw invalidField(
      '/customFields',
      `would have ${values.size} fields after merging; at most ${FREE_FIELDS_MAX} are allowed`,
    );
  }
  return Object.fromEntries(values);
}
