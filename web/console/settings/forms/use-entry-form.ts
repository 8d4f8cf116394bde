import { useState } from 'react';
import { FrontdeskError } from '../../../../sdk/src/error.ts';
import { changeMeanwhileOf, type ChangeMeanwhile } from '../manifest/changed-meanwhile.ts';
import {
  changedFields,
  entryOf,
  formValuesOf,
  rebased,
  type Entry,
  type EntryField,
} from './entry.ts';
import { useSaveEntry, type Shape } from './section-queries.ts';

interface EntryFormOptions {
  readonly section: string;
  readonly shape: Shape;
  readonly fields: readonly EntryField[];
  /** The entry as it was read; undefined for a new one. */
  readonly entry: Entry | undefined;
  /** What a new entry begins with. */
  readonly fresh?: Entry | undefined;
  /** Returns the entry of the form as it is stored now; undefined if there is none. */
  readonly readAgain: (entry: Entry) => Promise<Entry | undefined>;
  /** Completes what is saved; `values` are those of the form. */
  readonly complete?: (entry: Entry) => Entry;
}

/** What another person did to the entry while it was edited. */
export interface EntryConflict {
  readonly by: ChangeMeanwhile['by'];
  /** `taken`: a new entry with the same key was added. */
  readonly kind: 'changed' | 'removed' | 'taken';
  /** The labels of the fields of the form that changed. */
  readonly labels: readonly string[];
}

/**
 * The state of a form over one entry. If another person changed the entry meanwhile, nothing is saved:
 * the form keeps what was typed, takes their values of all other fields, and names what changed.
 */
export function useEntryForm(options: EntryFormOptions) {
  const { section, shape, fields, entry, fresh = {}, readAgain, complete = (one) => one } = options;
  const { save, isPending, errorOf, errorsBeside } = useSaveEntry(section, shape);
  const [base, setBase] = useState(entry);
  const [conflict, setConflict] = useState<EntryConflict>();
  const [values, setValues] = useState(() => formValuesOf(fields, entry ?? fresh));
  const begin = formValuesOf(fields, base ?? fresh);
  const start = (from: Entry | undefined) => {
    setBase(from);
    setValues(formValuesOf(fields, from ?? {}));
    setConflict(undefined);
  };
  const rebase = (now: Entry | undefined, by: ChangeMeanwhile['by']) => {
    const before = base ?? {};
    const current = now ?? before;
    const kind = now !== undefined ? 'changed' : entry === undefined ? 'taken' : 'removed';
    const labels = changedFields(fields, before, current).map(({ label }) => label);
    setConflict({ by, kind, labels });
    setValues(rebased(fields, values, { before, now: current }));
    setBase(now);
  };
  return {
    fields,
    values,
    setValues,
    isChanged: JSON.stringify(values) !== JSON.stringify(begin),
    isPending,
    errorOf,
    /** What the server says about the entry, but not about a field that is shown. */
    otherErrors: errorsBeside(
      fields.filter(({ isShown = () => true }) => isShown(values, {})).map(({ path }) => path),
    ),
    conflict,
    /** Saves the entry. Returns undefined if it changed meanwhile, or the form shows why it was refused. */
    async submit(): Promise<Entry | undefined> {
      // A removed entry is created again, with what it had beyond the form.
      const changed = complete(entryOf(fields, base ?? entry ?? {}, values));
      try {
        await save({ entry: changed, base });
      } catch (error) {
        const meanwhile = changeMeanwhileOf(error);
        if (!meanwhile) {
          if (error instanceof FrontdeskError && error.issues.length > 0) {
            return undefined;
          }
          throw error;
        }
        rebase(await readAgain(changed), meanwhile.by);
        return undefined;
      }
      if (shape === 'single') {
        start(await readAgain(changed));
      }
      return changed;
    },
  };
}
