import type { AuditedChanges } from '#core/work.ts';
import { isRecord } from './environment-references.ts';
import { leavesOf, nameOf } from './outcome.ts';
import type { SectionPlan } from './plan.ts';
import { rowsOf, type Stored } from './stored.ts';

type Described = readonly [string, AuditedChanges[string]];

/**
 * Returns the entries that plans add, change and remove, for the audit trail: `calendars checkups` from
 * its name to null if it is removed, and `calendars checkups/hours/mon` with the values that differ.
 * Call it before the plans are carried out.
 */
export const auditedChanges = (plans: readonly SectionPlan[], stored: Stored): AuditedChanges =>
  Object.fromEntries([
    ...plans.flatMap((plan) => removedBy(plan, stored)),
    ...plans.flatMap(writtenBy),
  ]);

const removedBy = ({ section, removed }: SectionPlan, stored: Stored): Described[] =>
  removed.map((key) => {
    const from = shownName(section.valueOf(rowsOf(stored, section).get(key)), key);
    return [nameOf({ section: section.name, key }), { from, to: null }];
  });

const writtenBy = ({ section, changes }: SectionPlan): Described[] =>
  changes.flatMap(({ key, wanted, fields }): readonly Described[] => {
    const name = nameOf({ section: section.name, key });
    return fields === undefined
      ? [[name, { from: null, to: shownName(wanted, key) }]]
      : Object.entries(fields).flatMap(([field, change]) => leavesOf(`${name}/${field}`, change));
  });

/** Entries without a name are called by their key. */
const shownName = (value: unknown, key: string): string => {
  const { name, label } = isRecord(value) ? value : {};
  return [name, label].find((text) => typeof text === 'string') ?? key;
};
