import { isDeepStrictEqual } from 'node:util';
import { pointerToken } from '#core/schema/check.ts';
import type { Section } from '#core/section.ts';
import { isRecord, type References } from './environment-references.ts';
import { tokensOf } from './json-pointer.ts';
import { changedReferences } from './stored-references.ts';

/** A field before and after; secrets are masked. */
export interface FieldChange {
  readonly from: unknown;
  readonly to: unknown;
}

export type FieldChanges = Readonly<Record<string, FieldChange>>;

/** Stands for a secret in plans and outcomes. */
const MASK = '***';

/** The field that an entry without fields of its own changes in. */
const WHOLE = 'value';

/** One state of an entry: its whole value, and the references in it. */
export interface EntryState {
  readonly value: unknown;
  readonly references: References;
}

/** Returns the fields in which two states of an entry differ. */
export function fieldChanges(section: Section, before: EntryState, after: EntryState) {
  const referring = changedReferences(before.references, after.references).map(fieldOf);
  const fields = [...new Set([...differences(before.value, after.value), ...referring])];
  const shown = (state: EntryState, field: string) =>
    masked(section, state, field === WHOLE ? '' : `/${pointerToken(field)}`);
  return Object.fromEntries(
    fields.map((field) => [field, { from: shown(before, field), to: shown(after, field) }]),
  );
}

const fieldOf = (path: string): string => tokensOf(path)[0] ?? WHOLE;

function differences(before: unknown, after: unknown): string[] {
  if (isRecord(before) && isRecord(after)) {
    return Object.keys(after).filter((name) => !isDeepStrictEqual(before[name], after[name]));
  }
  return isDeepStrictEqual(before, after) ? [] : [WHOLE];
}

/** Returns the part of a state at a field, with references as they are written and secrets masked. */
function masked({ secrets = [] }: Section, { value, references }: EntryState, field: string) {
  const mask = (held: unknown, path: string, isSecret: boolean): unknown => {
    const reference = references.get(path);
    if (reference !== undefined) {
      return reference;
    }
    if (Array.isArray(held)) {
      return held.map((item, index) => mask(item, `${path}/${index}`, isSecret));
    }
    if (isRecord(held)) {
      return Object.fromEntries(
        Object.entries(held).map(([name, inner]) => [
          name,
          mask(inner, `${path}/${pointerToken(name)}`, isSecret || secrets.includes(name)),
        ]),
      );
    }
    return isSecret && held !== null ? MASK : (held ?? null);
  };
  const [name] = tokensOf(field);
  const held = name === undefined ? value : isRecord(value) ? value[name] : undefined;
  return mask(held, field, name !== undefined && secrets.includes(name));
}
