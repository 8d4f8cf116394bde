import type { Contact } from '../../../sdk/src/generated/contacts.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { useContactName } from './contact-table.tsx';

type Hint = (contact: Contact) => string | null;

/** Returns the function that names two contacts; those with the same name by what tells them apart. */
export function useMergeNames() {
  const { merging } = useMessages();
  const nameOf = useContactName();
  const { dayOfYear, exact } = useFormat();
  const hints: readonly Hint[] = [
    ({ email }) => email,
    ({ phone }) => phone,
    ({ createdAt }) => merging.since(dayOfYear(createdAt)),
    ({ createdAt }) => merging.since(exact(createdAt)),
  ];
  return ({ kept, other }: { readonly kept: Contact; readonly other: Contact }) => {
    const isSame = nameOf(kept).toLowerCase() === nameOf(other).toLowerCase();
    const name = (one: Contact, peer: Contact) => {
      const hint = isSame ? distinguishing(hints, one, peer) : undefined;
      return hint === undefined ? nameOf(one) : `${nameOf(one)} (${hint})`;
    };
    return { kept: name(kept, other), other: name(other, kept) };
  };
}

/** Returns the first hint that the peer does not share; undefined if there is none. */
function distinguishing(hints: readonly Hint[], one: Contact, peer: Contact): string | undefined {
  for (const hint of hints) {
    const own = hint(one);
    if (own !== null && own !== hint(peer)) {
      return own;
    }
  }
  return undefined;
}
