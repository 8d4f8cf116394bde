import { useMessages } from '../../i18n/messages.tsx';
import { useFormat } from '../../i18n/format.ts';
import { textOf, type Entry, type EntryField, type EntryList } from './entry.ts';
import { keyFrom } from './key-from.ts';
import { sectionMessages } from './section-messages.ts';
import { useSection } from './section-queries.ts';

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

const KINDS = ['personal', 'round-robin', 'collective', 'class'] as const;
const DURATION_MINUTES = 30;
const OFFICE_HOURS = ['09:00-17:00'];
const WORKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri'];

/** What a new calendar begins with: office hours. */
export const FRESH_CALENDAR: Entry = {
  type: 'round-robin',
  hours: Object.fromEntries(WORKDAYS.map((day) => [day, OFFICE_HOURS])),
};

/** The services that customers book. */
function useServices(): EntryList {
  const { forms, settings } = useMessages();
  const texts = sectionMessages();
  const format = useFormat();
  const currency = useCurrency();
  return {
    add: texts.addService,
    empty: texts.noServices,
    nameOf: 'name',
    removeText: texts.removeService,
    fresh: () => ({ duration: DURATION_MINUTES }),
    summaryOf: ({ duration, price, active }) =>
      [
        texts.minutes(typeof duration === 'number' ? duration : DURATION_MINUTES),
        ...(typeof price === 'number' ? [format.money(price, currency)] : []),
        ...(active === false ? [texts.notBookable] : []),
      ].join(' · '),
    fields: [
      { path: 'name', label: settings.name, kind: 'text', isRequired: true },
      { path: 'duration', label: texts.duration, kind: 'number' },
      { path: 'price', label: forms.price, kind: 'number', description: texts.priceHint },
      { path: 'description', label: forms.description, kind: 'long' },
      { path: 'location', label: texts.location, kind: 'text' },
      {
        path: 'seats',
        label: texts.seats,
        kind: 'number',
        isShown: (_values, calendar) => calendar['type'] === 'class',
      },
      { path: 'active', label: texts.canBeBooked, kind: 'switch', isOnByDefault: true },
    ],
  };
}

/** Returns the currency of the sub-account. */
export function useCurrency(): string {
  const { entries } = useSection('subAccount');
  const currency = entries?.[0]?.['currency'];
  return typeof currency === 'string' ? currency : 'EUR';
}

/** The fields of a calendar: members, services, hours and rules. */
export function useCalendarFields(locale: string): readonly EntryField[] {
  const { agency, forms, settings } = useMessages();
  const texts = sectionMessages();
  const list = useServices();
  const weekday = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
  return [
    { path: 'name', label: settings.name, kind: 'text', isRequired: true },
    {
      path: 'type',
      label: texts.kind,
      kind: 'choice',
      choices: KINDS.map((id) => ({ id, label: texts.kinds[id] })),
    },
    { path: 'members', label: texts.members, kind: 'members' },
    { path: 'types', label: texts.services, kind: 'list', list },
    { path: 'timezone', label: agency.timezone, kind: 'zone', heading: texts.hours },
    ...WEEK.map(([day, date]) => ({
      path: `hours/${day}`,
      label: forms.hoursOn(weekday.format(new Date(date))),
      kind: 'windows' as const,
      hint: forms.closed,
      ...(day === 'mon' && { description: texts.hoursHint }),
    })),
    {
      path: 'slotInterval',
      label: forms.slotInterval,
      kind: 'number',
      heading: texts.rules,
      description: texts.slotHint,
    },
    { path: 'buffers/before', label: forms.bufferBefore, kind: 'number' },
    { path: 'buffers/after', label: forms.bufferAfter, kind: 'number' },
    {
      path: 'minimumNotice',
      label: forms.minimumNotice,
      kind: 'number',
      description: texts.noticeHint,
    },
    {
      path: 'maximumAdvance',
      label: forms.maximumAdvance,
      kind: 'number',
      description: texts.advanceHint,
    },
    { path: 'maxPerDay', label: forms.maxPerDay, kind: 'number' },
    {
      path: 'allowCustomerReschedule',
      label: forms.customerMoves,
      kind: 'switch',
      isOnByDefault: true,
    },
  ];
}

export const servicesOf = (calendar: Entry): readonly Entry[] =>
  Array.isArray(calendar['types']) ? (calendar['types'] as readonly Entry[]) : [];

/** Gives new services keys, which are unique in the sub-account, as their addresses are. */
export function withServiceKeys(calendar: Entry, calendars: readonly Entry[]): Entry {
  const all = [...calendars.flatMap(servicesOf), ...servicesOf(calendar)];
  const taken = new Set(all.flatMap(({ key, slug }) => [key, slug]));
  const types = servicesOf(calendar).map((service) => {
    if (service['key'] !== undefined) {
      return service;
    }
    const key = keyFrom(textOf(service['name']), taken);
    taken.add(key);
    return { key, ...service };
  });
  return { ...calendar, types };
}
