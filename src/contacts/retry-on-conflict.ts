import { Fault } from '#core/fault.ts';
import type { Work } from '#core/work.ts';

/**
 * Whoever breaks this constraint lost against a change of the same contact, which his next try sees.
 * Where each try lost, the caller is told to come again.
 */
export function retryOnConflict(work: Work, constraint: string): void {
  work.retryOn(constraint);
  work.mapConstraint(constraint, comeAgain);
}

const comeAgain = () =>
  new Fault('SERVICE_UNAVAILABLE', 'the contact is being changed; send this again', undefined, {
    'retry-after': '1',
  });
