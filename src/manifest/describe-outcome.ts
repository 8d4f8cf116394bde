import type { ApplyOutcome, Named } from './apply-manifest.ts';

/** An outcome, or a plan, for a terminal: a line for each entry that differs. */
export function describeOutcome(outcome: ApplyOutcome, isPlan: boolean): string {
  const { created, updated, removed, unchanged } = outcome;
  const verbs = isPlan ? PLANNED : DONE;
  return [
    ...created.map((entry) => `${verbs.created} ${nameOf(entry)}`),
    ...updated.map((entry) => `${verbs.updated} ${nameOf(entry)}: ${entry.fields.join(', ')}`),
    ...removed.map((entry) => `${verbs.removed} ${nameOf(entry)}`),
    `${unchanged} unchanged`,
  ].join('\n');
}

const DONE = { created: 'created', updated: 'updated', removed: 'removed' };
const PLANNED = { created: 'would create', updated: 'would update', removed: 'would remove' };

/** Settings are a section of one entry, called like it. */
const nameOf = ({ section, key }: Named): string =>
  section === key ? section : `${section} ${key}`;
