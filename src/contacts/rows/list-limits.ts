import { invalidField } from '#core/fault.ts';
import type { Contact } from '../contact.entity.ts';
import { ADDRESSES_MAX, TAGS_MAX } from '../contact.schema.ts';
import { dedupeTags } from './tags.ts';

/** The lists of a contact that have a limit. */
const LIMITS = {
  tags: { max: TAGS_MAX, reason: 'too_many_tags' },
  additionalEmails: { max: ADDRESSES_MAX, reason: 'too_many_addresses' },
  additionalPhones: { max: ADDRESSES_MAX, reason: 'too_many_addresses' },
} as const;

type Lists = Pick<Contact, keyof typeof LIMITS>;

/**
 * Throws where a list would grow beyond its limit. One that is longer already may shrink. `path` points
 * to the field of the body to blame, where it is not the list itself.
 */
export function refuseLongLists(before: Lists, after: Lists, path?: string): void {
  for (const name of Object.keys(LIMITS) as (keyof Lists)[]) {
    const { max, reason } = LIMITS[name];
    const count = after[name].length;
    if (count > max && count > before[name].length) {
      const message = `would give the contact ${count} ${name}; at most ${max} are allowed`;
      throw invalidField(path ?? `/${name}`, message, { reason, limit: max });
    }
  }
}

/** The tags of a contact with as many of the given ones as there is room for. */
export function withRoomFor(stored: readonly string[], given: readonly string[]): string[] {
  const all = dedupeTags(stored, [...stored, ...given]);
  return all.slice(0, Math.max(TAGS_MAX, stored.length));
}
