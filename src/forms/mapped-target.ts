import { WRITABLE_FIELDS, type ContactPatch } from '../contacts/contact.schema.ts';

type Member = keyof ContactPatch;

/** What `mapsTo` may name: a field of a contact, or one of the sub-account's custom fields. */
export type Target =
  | { readonly kind: 'text' | 'list' | 'dnd'; readonly member: Member }
  | { readonly kind: 'custom'; readonly name: string };

const CUSTOM = 'customFields.';
const LISTS: ReadonlySet<Member> = new Set(['tags', 'additionalEmails', 'additionalPhones']);

export function targetOf(mapsTo: string): Target | undefined {
  if (mapsTo.startsWith(CUSTOM)) {
    return { kind: 'custom', name: mapsTo.slice(CUSTOM.length) };
  }
  const member = WRITABLE_FIELDS.find((name) => name === mapsTo && name !== 'customFields');
  return member && { kind: kindOf(member), member };
}

const kindOf = (member: Member): 'text' | 'list' | 'dnd' =>
  member === 'dnd' ? 'dnd' : LISTS.has(member) ? 'list' : 'text';

/** For whoever wrote another one. */
export const TARGETS = [
  ...WRITABLE_FIELDS.filter((name) => name !== 'customFields'),
  `${CUSTOM}NAME`,
].join(', ');
