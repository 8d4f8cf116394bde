import { useMessages } from '../../i18n/messages.tsx';
import { CONTACT_COLUMNS, customColumn, type CustomField } from './contact-columns.ts';

type Labels = Readonly<Record<string, string>>;

/** Returns the label of each field that a column may hold, by its name in the API. */
export function useFieldLabels(customFields: readonly CustomField[]): Labels {
  const { contacts, contactList, merging, imports } = useMessages();
  const labels: Readonly<Record<(typeof CONTACT_COLUMNS)[number], string>> = {
    ...contacts,
    title: contacts.jobTitle,
    lifecycleStage: contacts.stage,
    assignedTo: contactList.owner,
    additionalEmails: merging.additionalEmails,
    additionalPhones: merging.additionalPhones,
    ...imports.fields,
  };
  return Object.fromEntries([
    ...CONTACT_COLUMNS.map((name) => [name, labels[name]] as const),
    ...customFields.map(({ name, label }) => [customColumn(name), label] as const),
  ]);
}

/** Returns an error of a row with labels: the server names fields as in `email: …; phone: …`. */
export const withLabels = (message: string, labels: Labels): string =>
  message.replaceAll(
    /(^|; )([\w.-]+)(?=: )/g,
    (_, before: string, name: string) => before + (labels[name] ?? name),
  );
