import { useQuery } from '@tanstack/react-query';
import type { Contact } from '../../../sdk/src/generated/contacts.ts';
import { clientOf } from '../api/client.ts';
import { usePlace } from '../api/session.ts';
import { useMessages } from '../i18n/messages.tsx';

/** The columns after the name, in the order in which they are shown. */
const FIELDS = [
  'email',
  'phone',
  'company',
  'title',
  'stage',
  'tags',
  'owner',
  'source',
  'dateOfBirth',
  'city',
  'country',
  'score',
  'created',
  'updated',
] as const;
export type ColumnField = (typeof FIELDS)[number];

const DEFAULT: readonly ColumnField[] = ['email', 'phone', 'company', 'stage', 'created'];
const CUSTOM = 'custom.';

/** A column that a user can choose. */
export interface ChosenColumn {
  /** A field, or `custom.` and the name of a custom field. */
  readonly id: string;
  readonly label: string;
  readonly field: ColumnField | null;
  readonly customField: string | null;
}

/** Returns the custom fields of contacts of the sub-account. */
export function useCustomFields() {
  const { subAccountId } = usePlace().membership;
  return useQuery({
    queryKey: [subAccountId, 'custom-fields'],
    queryFn: ({ signal }) => clientOf(subAccountId).contacts.fields({ signal }),
    staleTime: Infinity,
  });
}

/** Returns every column, and those of a view; ones that no longer exist are left out. */
export function useColumns(saved: readonly string[] | undefined) {
  const { contacts, contactList } = useMessages();
  const { data: customFields = [] } = useCustomFields();
  const labels: Readonly<Record<ColumnField, string>> = {
    ...contacts,
    title: contacts.jobTitle,
    owner: contactList.owner,
    score: contactList.score,
    updated: contactList.updated,
  };
  const all: readonly ChosenColumn[] = [
    ...FIELDS.map((field) => ({ id: field, label: labels[field], field, customField: null })),
    ...customFields.map(({ name, label }) => ({
      id: CUSTOM + name,
      label,
      field: null,
      customField: name,
    })),
  ];
  const wanted = saved ?? DEFAULT;
  return { all, chosen: all.filter(({ id }) => wanted.includes(id)) };
}

/** Returns the text of a custom field's value, '' without one. */
export function customText({ customFields }: Pick<Contact, 'customFields'>, name: string): string {
  const values = customFields as Readonly<Record<string, string | number | boolean | undefined>>;
  const value = values[name] ?? '';
  return typeof value === 'boolean' ? (value ? '✓' : '–') : String(value);
}
