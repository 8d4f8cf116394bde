import { mapFields, valueOf, type MergeValues } from '#lib/merge-fields.ts';
import { mergedUrl } from '#lib/merge-url.ts';
import { actionOf } from '../definition/places.ts';
import type { Step } from '../definition/workflow.schema.ts';

/** Returns the value of a step with the merge fields that a run fills. Headers of calls may be secret. */
export function filledArguments(step: Step, values: MergeValues): unknown {
  if (step.http) {
    const { method = 'POST', url } = step.http;
    return { method, url: keepsData(url) ? url : mergedUrl(url, values) };
  }
  const value = step[actionOf(step)];
  if (typeof value !== 'object' || value === null) {
    return value === true ? null : value;
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      MERGED.has(name) && typeof one === 'string' ? filled(one, values) : one,
    ]),
  );
}

/** The texts of steps that a run merges. `setField`, `assign` and conditions have none of them. */
const MERGED = new Set(['subject', 'body', 'title', 'description', 'name']);

const DATA = 'data.';

/** Fields of the data of an event stay as they are: only a real run has them. */
const filled = (text: string, values: MergeValues): string =>
  mapFields(text, (field, source) =>
    field.name.startsWith(DATA) ? source : valueOf(field, values),
  );

const keepsData = (url: string): boolean => url.includes(`{{${DATA}`);
