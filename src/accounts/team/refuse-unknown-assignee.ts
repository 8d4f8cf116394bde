import { invalidField, type Fault } from '#core/fault.ts';
import type { Work } from '#core/work.ts';

type Assigned = 'contacts' | 'conversations' | 'opportunities' | 'tasks';

/** Turns a broken foreign key of `assignedTo` into a fault; by default one at that field of the body. */
export function refuseUnknownAssignee(
  work: Work,
  table: Assigned,
  faultOf: (message: string) => Fault = (message) => invalidField('/assignedTo', message),
): void {
  work.mapConstraint(`${table}_assigned_to_fkey`, () =>
    faultOf('is not a team member of this sub-account'),
  );
}
