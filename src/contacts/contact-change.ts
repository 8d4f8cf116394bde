import { isDeepStrictEqual } from 'node:util';
import type { Work } from '#core/work.ts';
import { additional } from './claim-addresses.ts';
import type { Contact, DoNotDisturb } from './contact.entity.ts';
import { contactLifecycleChanged, contactTagAdded, contactUpdated } from './contact.events.ts';
import { WRITABLE_FIELDS, type ContactPatch, ADDRESSES_MAX, TAGS_MAX } from './contact.schema.ts';
import { customFieldDefinitions, mergedCustomValues } from './fields/custom-field.ts';
import { invalidField } from '#core/fault.ts';

export type WritableFields = Pick<Contact, (typeof WRITABLE_FIELDS)[number]>;

export interface ContactChange {
  readonly before: WritableFields;
  readonly after: WritableFields;
}

/** Which field to blame for a refused change, and what is not checked. */
export interface ChangeLimits {
  /** Path of the body's field; by default the changed field. */
  readonly blamed?: string | undefined;
  /** The custom values of a contact that is merged into this one. */
  readonly movedValues?: Contact['customFields'] | undefined;
}

/**
 * Returns what a patch makes of a contact, or undefined if nothing would change. Throws if a list or
 * the custom values would grow too large.
 */
export async function changeOf(
  work: Work,
  contact: WritableFields,
  patch: ContactPatch,
  { blamed, movedValues: moved }: ChangeLimits = {},
): Promise<ContactChange | undefined> {
  const before = writableFieldsOf(contact);
  const { customFields, dnd, tags, additionalEmails, additionalPhones, ...fields } = patch;
  const after = { ...before };
  Object.assign(after, fields);
  after.tags = tags ? dedupeTags(before.tags, tags) : before.tags;
  after.additionalEmails = additional(additionalEmails ?? before.additionalEmails, after.email);
  after.additionalPhones = additional(additionalPhones ?? before.additionalPhones, after.phone);
  refuseLongLists(before, after, blamed);
  if (customFields !== undefined) {
    const definitions = await work.cached(customFieldDefinitions);
    const options = { blamed, moved };
    after.customFields = mergedCustomValues(
      definitions,
      before.customFields,
      customFields,
      options,
    );
  }
  after.dnd = mergedDnd(before.dnd, dnd);
  return WRITABLE_FIELDS.every((field) => isSame(before[field], after[field]))
    ? undefined
    : { before, after };
}

const writableFieldsOf = (contact: WritableFields): WritableFields =>
  Object.fromEntries(WRITABLE_FIELDS.map((field) => [field, contact[field]])) as WritableFields;

/** Merges do-not-disturb settings by channel; null clears (contract 5). */
export function mergedDnd(stored: DoNotDisturb, changes: ContactPatch['dnd']): DoNotDisturb {
  const merged = new Map(Object.entries(stored));
  for (const [channel, value] of Object.entries(changes ?? {})) {
    if (value === null) {
      merged.delete(channel);
    } else if (typeof value === 'boolean') {
      merged.set(channel, value);
    }
  }
  return Object.fromEntries(merged);
}

/** Whether a field has no value; only a last name may be an empty text. */
export const isEmpty = (value: unknown): boolean => (value ?? '') === '';

/** Compares objects by their members: PostgreSQL does not keep the order of a jsonb object. */
const isSame = (before: unknown, after: unknown): boolean =>
  before === after || isDeepStrictEqual(before ?? null, after ?? null);

/** Emits the events of a change: the update, each added tag, a new lifecycle stage. */
export async function announceChange(
  work: Work,
  contactId: string,
  { before, after }: ContactChange,
): Promise<void> {
  const { tags, firstName, lastName, lifecycleStage } = after;
  const { email = null, phone = null, company = null } = after;
  await work.emit(contactUpdated, {
    contactId,
    tags,
    data: { firstName, lastName, email, phone, company, lifecycleStage },
  });
  for (const tagName of addedTags(before.tags, tags)) {
    await work.emit(contactTagAdded, { contactId, tags, data: { tagName } });
  }
  if (before.lifecycleStage !== lifecycleStage) {
    const data = { newStage: lifecycleStage, previousStage: before.lifecycleStage };
    await work.emit(contactLifecycleChanged, { contactId, tags, data });
  }
}

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
function addedTags(before: readonly string[], after: readonly string[]): string[] {
  const known = new Set(before.map((tag) => tag.toLowerCase()));
  return after.filter((tag) => !known.has(tag.toLowerCase()));
}
