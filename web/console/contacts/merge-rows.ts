import type { Contact } from '../../../sdk/src/generated/contacts.ts';
import { useMessages } from '../i18n/messages.tsx';
import { useTeam } from '../inbox/conversation-queries.ts';
import { customText, useColumns } from './contact-columns.ts';
import { useDateText } from './date-text.ts';
import type { MergePreview } from './merge-dialog.tsx';
import { useMergeNames } from './merge-names.ts';
import { emailsOf, phonesOf, sourceOfItems } from './merge-source.ts';

/** A field of the outcome of a merge. */
export interface MergeRow {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  /** Whose value it is. */
  readonly from: string;
  /** The value of the deleted contact that is not taken over. */
  readonly lost: string | null;
}

/** Returns the fields that have a value after the merge. */
export function useMergeRows(preview: MergePreview): readonly MergeRow[] {
  const { result, kept, other } = preview;
  const { merging } = useMessages();
  const names = useMergeNames()(preview);
  const fields = useFields();
  return fields.flatMap(({ id, label, itemsOf, ownItemsOf = itemsOf, textOf }) => {
    const [value, ofKept, ofOther] = [textOf(result), textOf(kept), textOf(other)];
    if (value === '') {
      return [];
    }
    if (itemsOf && ownItemsOf) {
      const own = { kept: ownItemsOf(kept), other: ownItemsOf(other) };
      const source = sourceOfItems(itemsOf(result), own);
      const from = source === 'both' ? merging.both : names[source];
      return [{ id, label, value, from, lost: null }];
    }
    const isBoth = value !== ofKept && value !== ofOther;
    const from =
      isBoth || ofKept === ofOther ? merging.both : names[value === ofKept ? 'kept' : 'other'];
    const isLost = !isBoth && value === ofKept && ofOther !== '' && ofOther !== ofKept;
    return [{ id, label, value, from, lost: isLost ? ofOther : null }];
  });
}

type TextField =
  | 'firstName'
  | 'lastName'
  | 'email'
  | 'phone'
  | 'company'
  | 'title'
  | 'city'
  | 'country';

interface MergeField {
  readonly id: string;
  readonly label: string;
  /** The items of a list; those of both contacts are kept. */
  readonly itemsOf?: (contact: Contact) => readonly string[];
  /** What a contact may contribute, if it is more than its own list. */
  readonly ownItemsOf?: (contact: Contact) => readonly string[];
  readonly textOf: (contact: Contact) => string;
}

const plain = (id: TextField, label: string): MergeField => ({
  id,
  label,
  textOf: (contact) => contact[id] ?? '',
});

/** A list; `ownItemsOf` is what a contact may contribute, if it is more than its own list. */
const list = (
  id: 'tags' | 'additionalEmails' | 'additionalPhones',
  label: string,
  ownItemsOf?: MergeField['ownItemsOf'],
): MergeField => ({
  id,
  label,
  itemsOf: (contact) => contact[id],
  ...(ownItemsOf && { ownItemsOf }),
  textOf: (contact) => contact[id].join(', '),
});

function useFields(): readonly MergeField[] {
  const { contacts, contactList, merging, consent, channels } = useMessages();
  const { data: team = [] } = useTeam();
  const custom = useColumns(undefined).all.filter(({ customField }) => customField !== null);
  const dateText = useDateText();
  const channelNames: Readonly<Record<string, string>> = { ...channels, all: consent.allChannels };
  const dndOf = ({ dnd }: Contact) =>
    Object.entries(dnd).flatMap(([channel, isOn]) =>
      isOn ? [channelNames[channel] ?? channel] : [],
    );
  return [
    plain('firstName', contacts.firstName),
    plain('lastName', contacts.lastName),
    plain('email', contacts.email),
    list('additionalEmails', merging.additionalEmails, emailsOf),
    plain('phone', contacts.phone),
    list('additionalPhones', merging.additionalPhones, phonesOf),
    plain('company', contacts.company),
    plain('title', contacts.jobTitle),
    {
      id: 'stage',
      label: contacts.stage,
      textOf: ({ lifecycleStage }) => contacts.stages[lifecycleStage],
    },
    {
      id: 'owner',
      label: contactList.owner,
      textOf: ({ assignedTo }) => team.find(({ id }) => id === assignedTo)?.name ?? '',
    },
    list('tags', contacts.tags),
    {
      id: 'dateOfBirth',
      label: contacts.dateOfBirth,
      textOf: ({ dateOfBirth }) => dateText(dateOfBirth ?? ''),
    },
    plain('city', contacts.city),
    plain('country', contacts.country),
    {
      id: 'source',
      label: contacts.source,
      textOf: ({ source }) => channelNames[source ?? ''] ?? source ?? '',
    },
    ...custom.map(({ id, label, customField }): MergeField => ({
      id,
      label,
      textOf: (contact) => dateText(customText(contact, customField ?? '')),
    })),
    {
      id: 'dnd',
      label: merging.dnd,
      itemsOf: dndOf,
      textOf: (contact) => dndOf(contact).join(', '),
    },
  ];
}
