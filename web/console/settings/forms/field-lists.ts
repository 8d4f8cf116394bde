import { useMessages } from '../../i18n/messages.tsx';
import type { EntryField } from './entry.ts';

/** The fields of the live chat. */
export function useChatFields(): readonly EntryField[] {
  const { forms } = useMessages();
  return [
    { path: 'enabled', label: forms.chatEnabled, kind: 'switch' },
    { path: 'title', label: forms.title, kind: 'text' },
    { path: 'welcomeMessage', label: forms.welcome, kind: 'long' },
    { path: 'color', label: forms.color, kind: 'text', hint: '#2456a6' },
    { path: 'requireName', label: forms.requireName, kind: 'switch', isOnByDefault: true },
    { path: 'requireEmail', label: forms.requireEmail, kind: 'switch' },
    { path: 'legalText', label: forms.legalText, kind: 'long' },
  ];
}

/** The fields of a service of the price list. */
export function useServiceFields(): readonly EntryField[] {
  const { agency, forms, settings } = useMessages();
  return [
    { path: 'name', label: settings.name, kind: 'text', isRequired: true },
    { path: 'description', label: forms.description, kind: 'long' },
    { path: 'category', label: forms.category, kind: 'text' },
    { path: 'folder', label: forms.folder, kind: 'text' },
    { path: 'price', label: forms.price, kind: 'number', isRequired: true },
    { path: 'currency', label: agency.currency, kind: 'text' },
    { path: 'hasVariablePricing', label: forms.startingPrice, kind: 'switch' },
    { path: 'onSale', label: forms.onSale, kind: 'switch', isOnByDefault: true },
  ];
}

/** Monday first; the day gives its name in the user's language. */
const WEEK = [
  ['mon', '2024-01-01'],
  ['tue', '2024-01-02'],
  ['wed', '2024-01-03'],
  ['thu', '2024-01-04'],
  ['fri', '2024-01-05'],
  ['sat', '2024-01-06'],
  ['sun', '2024-01-07'],
] as const;

/** The fields of a calendar: its hours and rules. Members and types are in the manifest. */
export function useCalendarFields(locale: string): readonly EntryField[] {
  const { agency, forms, settings } = useMessages();
  const weekday = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
  return [
    { path: 'name', label: settings.name, kind: 'text', isRequired: true },
    { path: 'timezone', label: agency.timezone, kind: 'text' },
    ...WEEK.map(([day, date]) => ({
      path: `hours/${day}`,
      label: forms.hoursOn(weekday.format(new Date(date))),
      kind: 'windows' as const,
      hint: forms.closed,
    })),
    { path: 'slotInterval', label: forms.slotInterval, kind: 'number' },
    { path: 'buffers/before', label: forms.bufferBefore, kind: 'number' },
    { path: 'buffers/after', label: forms.bufferAfter, kind: 'number' },
    { path: 'minimumNotice', label: forms.minimumNotice, kind: 'number' },
    { path: 'maximumAdvance', label: forms.maximumAdvance, kind: 'number' },
    { path: 'maxPerDay', label: forms.maxPerDay, kind: 'number' },
    {
      path: 'allowCustomerReschedule',
      label: forms.customerMoves,
      kind: 'switch',
      isOnByDefault: true,
    },
  ];
}

/** The fields of a form. Its questions are in the manifest. */
export function useFormFields(): readonly EntryField[] {
  const { forms, settings } = useMessages();
  return [
    { path: 'name', label: settings.name, kind: 'text', isRequired: true },
    { path: 'message', label: forms.thanks, kind: 'long' },
    { path: 'redirectUrl', label: forms.redirect, kind: 'text' },
    { path: 'captcha', label: forms.captcha, kind: 'switch' },
  ];
}
