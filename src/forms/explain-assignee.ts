import { invalid } from '#core/fault.ts';
import type { Work } from '#core/work.ts';
import type { FormField } from './form-entry.ts';
import { fieldIssue, type Values } from './read-fields.ts';

/** Says of a team member who is none, as the database finds out, which field of the form named him. */
export function explainAssignee(work: Work, fields: readonly FormField[], values: Values): void {
  const field = fields.findLast(
    ({ name, mapsTo }) => mapsTo === 'assignedTo' && values[name] !== undefined,
  );
  if (field) {
    work.mapConstraint('contacts_assigned_to_fkey', () =>
      invalid([fieldIssue(field.name, 'is not a team member of this sub-account')]),
    );
  }
}
