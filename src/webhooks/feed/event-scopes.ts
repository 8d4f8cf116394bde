import type { Scope } from '#core/scope.ts';

/** The scope that reads the records of an event's noun. */
const SCOPE_OF_NOUN: Readonly<Record<string, Scope>> = {
  contact: 'contacts:read',
  form: 'contacts:read',
  invoice: 'contacts:read',
  message: 'conversations:read',
  appointment: 'appointments:read',
  opportunity: 'opportunities:read',
  task: 'tasks:read',
};

/** Returns the scope that an agent needs for an event. */
export function scopeOfEvent(name: string): Scope {
  const scope = SCOPE_OF_NOUN[name.split('.')[0] ?? ''];
  if (scope === undefined) {
    throw new Error(`no scope reads the records of ${name}`);
  }
  return scope;
}
