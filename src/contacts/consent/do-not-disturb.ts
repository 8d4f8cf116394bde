import type { DoNotDisturb } from '../contact.entity.ts';
import type { ContactPatch } from '../contact.schema.ts';

/** Merges by channel; null clears (contract 5). */
export function settledDnd(stored: DoNotDisturb, given: ContactPatch['dnd']): DoNotDisturb {
  const settled = new Map(Object.entries(stored));
  for (const [channel, value] of Object.entries(given ?? {})) {
    if (value === null) {
      settled.delete(channel);
    } else if (typeof value === 'boolean') {
      settled.set(channel, value);
    }
  }
  return Object.fromEntries(settled);
}
