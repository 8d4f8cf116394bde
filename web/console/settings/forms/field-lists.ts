import { useMessages } from '../../i18n/messages.tsx';
import type { EntryField } from './entry.ts';

/** The fields of the live chat; without a color of its own, it has that of the brand. */
export function useChatFields(brandColor: string): readonly EntryField[] {
  const { forms } = useMessages();
  return [
    { path: 'enabled', label: forms.chatEnabled, kind: 'switch' },
    { path: 'title', label: forms.title, kind: 'text' },
    { path: 'welcomeMessage', label: forms.welcome, kind: 'long' },
    {
      path: 'color',
      label: forms.color,
      kind: 'color',
      hint: brandColor === '' ? '#2456a6' : brandColor,
      description: forms.colorHint,
    },
    { path: 'requireName', label: forms.requireName, kind: 'switch', isOnByDefault: true },
    { path: 'requireEmail', label: forms.requireEmail, kind: 'switch' },
    { path: 'legalText', label: forms.legalText, kind: 'long' },
  ];
}

/** The fields of a service of the price list; `currency` is the sub-account's. */
export function useServiceFields(currency: string): readonly EntryField[] {
  const { agency, forms, settings } = useMessages();
  return [
    { path: 'name', label: settings.name, kind: 'text', isRequired: true },
    { path: 'description', label: forms.description, kind: 'long' },
    { path: 'category', label: forms.category, kind: 'text' },
    { path: 'folder', label: forms.folder, kind: 'text', description: forms.folderHint },
    { path: 'price', label: forms.price, kind: 'number', isRequired: true },
    { path: 'currency', label: agency.currency, kind: 'text', hint: currency },
    { path: 'hasVariablePricing', label: forms.startingPrice, kind: 'switch' },
    { path: 'onSale', label: forms.onSale, kind: 'switch', isOnByDefault: true },
  ];
}
