import { useQueryClient } from '@tanstack/react-query';
import { SESSION_KEY } from '../../api/query-client.ts';
import { languagesWith } from '../../i18n/customer-languages.ts';
import { useMessages } from '../../i18n/messages.tsx';
import { ownerMessages } from '../owner-messages.ts';
import { textOf, type Entry, type EntryField } from './entry.ts';
import { SingleTab } from './single-form.tsx';

/** The name of the sub-account, how customers see it, its time zone and its language. */
export function GeneralTab() {
  const fieldsFor = useGeneralFields();
  const queries = useQueryClient();
  return (
    <SingleTab
      section="subAccount"
      fieldsFor={fieldsFor}
      // What is left out would stay.
      complete={(entry) => ({ brand: null, brandColor: null, logoUrl: null, ...entry })}
      // The name and the time zone are on every page.
      onSaved={() => void queries.invalidateQueries({ queryKey: SESSION_KEY })}
    />
  );
}

function useGeneralFields(): (entry: Entry | undefined) => readonly EntryField[] {
  const { agency, forms, settings } = useMessages();
  const texts = ownerMessages().general;
  return (entry) => [
    { path: 'name', label: settings.name, kind: 'text', isRequired: true },
    { path: 'timezone', label: agency.timezone, kind: 'zone', isRequired: true },
    {
      path: 'currency',
      label: agency.currency,
      kind: 'text',
      isRequired: true,
      description: texts.currencyHint,
    },
    {
      path: 'locale',
      label: texts.locale,
      kind: 'choice',
      choices: languagesWith(textOf(entry?.['locale'])),
      heading: texts.customers,
      headingText: texts.customersText,
    },
    { path: 'brand', label: texts.brand, kind: 'text', description: texts.brandHint },
    {
      path: 'brandColor',
      label: forms.color,
      kind: 'color',
      hint: '#2456a6',
      description: forms.colorHint,
    },
    { path: 'logoUrl', label: texts.logo, kind: 'text', description: texts.logoHint },
  ];
}
