import { Fault } from '#core/fault.ts';
import type { SectionPlan } from './plan.ts';
import { rowsOf, type Stored } from './stored.ts';

/** The export of such a manifest takes up to half a second, in which all sub-accounts wait. */
const WEIGHT_MAX = 5_000_000;
/** A value takes as much time as this many characters of a text. */
const VALUE_WEIGHT = 100;

/**
 * Throws VALIDATION_ERROR if the sub-account would have more settings than its requests may read at once.
 * Settings that are larger already may be changed, but not grow.
 */
export function refuseGrowth(plans: readonly SectionPlan[], stored: Stored): void {
  let before = 0;
  let growth = 0;
  for (const { section, changes, removed } of plans) {
    const weights = new Map<string, number>();
    for (const [key, row] of rowsOf(stored, section)) {
      weights.set(key, weightOf(section.valueOf(row)));
    }
    weights.forEach((weight) => (before += weight));
    changes.forEach(({ key, wanted }) => (growth += weightOf(wanted) - (weights.get(key) ?? 0)));
    removed.forEach((key) => (growth -= weights.get(key) ?? 0));
  }
  if (growth > 0 && before + growth > WEIGHT_MAX) {
    throw new Fault(
      'VALIDATION_ERROR',
      'the settings of the sub-account would be too large; remove some, or use frontdesk admin apply',
      { reason: 'settings_too_large' },
    );
  }
}

function weightOf(value: unknown): number {
  if (typeof value === 'string') {
    return VALUE_WEIGHT + value.length;
  }
  if (typeof value !== 'object' || value === null) {
    return VALUE_WEIGHT;
  }
  return Object.entries(value).reduce(
    (sum, [name, member]) => sum + name.length + weightOf(member),
    VALUE_WEIGHT,
  );
}
