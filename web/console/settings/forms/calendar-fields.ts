import { useMessages } from '../../i18n/messages.tsx';
import { useFormat } from '../../i18n/format.ts';
import { textOf, type Entry, type EntryField, type EntryList } from './entry.ts';
import { keyFrom } from './key-from.ts';
import { useNoticeFields, withConfirmation } from './notice-fields.ts';
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
    nameOf: ({ name }) => textOf(name),
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

/** Dates with hours of their own: holidays, or a long Saturday before them. */
function useOverrides(): EntryList {
  const { forms } = useMessages();
  const texts = sectionMessages();
  const format = useFormat('UTC');
  return {
    add: texts.addOverride,
    empty: texts.noOverrides,
    nameOf: ({ date }) =>
      typeof date === 'string' ? format.day(`${date}T00:00:00Z`) : texts.addOverride,
    isUnordered: true,
    fresh: () => ({ hours: [] }),
    summaryOf: ({ hours }) =>
      Array.isArray(hours) && hours.length > 0 ? hours.join(', ') : forms.closed,
    fields: [
      { path: 'date', label: texts.date, kind: 'date', isRequired: true },
      {
        path: 'hours',
        label: texts.hours,
        kind: 'windows',
        mayBeNone: true,
        hint: forms.closed,
        description: texts.hoursHint,
      },
    ],
  };
}

/** Returns the currency of the sub-account. */
export function useCurrency(): string {
  const { entries } = useSection('subAccount');
  const currency = entries?.[0]?.['currency'];
  return typeof currency === 'string' ? currency : 'EUR';
}

/** The fields of a calendar: members, services, hours, rules and messages. */
export function useCalendarFields(locale: string): readonly EntryField[] {
  const { settings } = useMessages();
  const texts = sectionMessages();
  return [
    { path: 'name', label: settings.name, kind: 'text', isRequired: true },
    {
      path: 'type',
      label: texts.kind,
      kind: 'choice',
      choices: KINDS.map((id) => ({ id, label: texts.kinds[id] })),
    },
    { path: 'members', label: texts.members, kind: 'members' },
    { path: 'types', label: texts.services, kind: 'list', list: useServices() },
    {
      path: 'showSeats',
      label: texts.showSeats,
      kind: 'switch',
      isShown: ({ type }) => type === 'class',
    },
    ...useHours(locale),
    ...useRules(),
    ...useNoticeFields(),
  ];
}

/** When the calendar is open. */
function useHours(locale: string): readonly EntryField[] {
  const { agency, forms } = useMessages();
  const texts = sectionMessages();
  const weekday = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
  return [
    { path: 'timezone', label: agency.timezone, kind: 'zone', heading: texts.hours },
    ...WEEK.map(([day, date]) => ({
      path: `hours/${day}`,
      label: forms.hoursOn(weekday.format(new Date(date))),
      kind: 'windows' as const,
      hint: forms.closed,
      ...(day === 'mon' && { description: texts.hoursHint }),
    })),
    { path: 'overrides', label: texts.overrides, kind: 'list', list: useOverrides() },
  ];
}

/** What customers may book within the hours. */
function useRules(): readonly EntryField[] {
  const { forms } = useMessages();
  const texts = sectionMessages();
  return [
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
      path: 'waitingListMinutes',
      label: texts.waitingMinutes,
      kind: 'number',
      description: texts.waitingHint,
    },
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

/** Returns what is saved: new services have keys, and a confirmation has a text. */
export const completeCalendar = (calendar: Entry, calendars: readonly Entry[]): Entry =>
  withConfirmation(withServiceKeys(calendar, calendars));

/** Gives new services keys, which are unique in the sub-account, as their addresses are. */
function withServiceKeys(calendar: Entry, calendars: readonly Entry[]): Entry {
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
