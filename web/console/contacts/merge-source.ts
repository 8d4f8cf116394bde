import type { Contact } from '../../../sdk/src/generated/contacts.ts';

type Source = 'kept' | 'other' | 'both';

/** Returns the contacts that a list of the outcome, such as its addresses, has items of. */
export function sourceOfItems(
  items: readonly string[],
  { kept, other }: { readonly kept: readonly string[]; readonly other: readonly string[] },
): Source {
  const hasOf = (own: readonly string[]) => {
    const known = new Set(own.map((one) => one.toLowerCase()));
    return items.some((one) => known.has(one.toLowerCase()));
  };
  const [isOfKept, isOfOther] = [hasOf(kept), hasOf(other)];
  return isOfKept === isOfOther ? 'both' : isOfKept ? 'kept' : 'other';
}

/** Returns all addresses of a contact: that of the deleted contact may become an additional one. */
export const emailsOf = ({ email, additionalEmails }: Contact): readonly string[] => [
  ...(email === null ? [] : [email]),
  ...additionalEmails,
];

export const phonesOf = ({ phone, additionalPhones }: Contact): readonly string[] => [
  ...(phone === null ? [] : [phone]),
  ...additionalPhones,
];
