import type { Contact } from '../../../sdk/src/generated/contacts.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { useContactName } from './contact-table.tsx';

interface Pair {
  readonly kept: Contact;
  readonly other: Contact;
}

/** Returns the function that names two contacts; those with the same name by what tells them apart. */
export function useMergeNames() {
  const { merging } = useMessages();
  const nameOf = useContactName();
  const { dayOfYear, exact } = useFormat();
  const dayOf = ({ createdAt }: Contact) => merging.since(dayOfYear(createdAt));
  const hints = [
    (one: Contact) => one.email ?? one.phone ?? dayOf(one),
    dayOf,
    ({ createdAt }: Contact) => merging.since(exact(createdAt)),
  ];
  return ({ kept, other }: Pair) => {
    const isSame = nameOf(kept).toLowerCase() === nameOf(other).toLowerCase();
    const hint = isSame ? hints.find((one) => one(kept) !== one(other)) : undefined;
    const describe = (one: Contact) =>
      hint === undefined ? nameOf(one) : `${nameOf(one)} (${hint(one)})`;
    return { kept: describe(kept), other: describe(other) };
  };
}
