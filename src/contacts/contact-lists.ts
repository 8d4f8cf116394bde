import { invalidField } from '#core/fault.ts';
import type { Contact } from './contact.entity.ts';
import { ADDRESSES_MAX, TAGS_MAX } from './contact.schema.ts';

/** The lists of a contact that have a limit. */
const LIMITS = {
  tags: { max: TAGS_MAX, reason: 'too_many_tags' },
  additionalEmails: { max: ADDRESSES_MAX, reason: 'too_many_addresses' },
  additionalPhones: { max: ADDRESSES_MAX, reason: 'too_many_addresses' },
} as const;

type Lists = Pick<Contact, keyof typeof LIMITS>;

/**
 * Throws if a list would grow beyond its limit; a list that is already longer may shrink. The fault
 * points to `path`, by default the list itself.
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

/** Returns the stored tags plus as many of the added ones as the limit allows. */
export function withRoomFor(stored: readonly string[], added: readonly string[]): string[] {
  const all = dedupeTags(stored, [...stored, ...added]);
  return all.slice(0, Math.max(TAGS_MAX, stored.length));
}

/** Returns each tag once, ignoring case, in the spelling that was stored first. */
export function dedupeTags(stored: readonly string[], tags: readonly string[]): string[] {
  const spelling = new Map(stored.map((tag) => [tag.toLowerCase(), tag]));
  const unique = new Map<string, string>();
  for (const untrimmed of tags) {
    const tag = untrimmed.trim();
    const key = tag.toLowerCase();
    if (!unique.has(key)) {
      unique.set(key, spelling.get(key) ?? tag);
    }
  }
  return [...unique.values()];
}

/** Returns the tags of `after` that `before` has in no spelling. */
export function addedTags(before: readonly string[], after: readonly string[]): string[] {
  const known = new Set(before.map((tag) => tag.toLowerCase()));
  return after.filter((tag) => !known.has(tag.toLowerCase()));
}
