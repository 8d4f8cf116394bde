import type { Issue } from '#core/section.ts';
import type { CalendarEntry, Hours } from './calendar-entry.ts';
import { windowsOf } from './opening-hours.ts';

/** What a schema cannot say about a calendar. */
export const calendarIssues = (given: CalendarEntry): readonly Issue[] => [
  ...crowdIn(given),
  ...seatsIn(given),
  ...disorderIn(given),
  ...[
    repeats('/members', 'member', (given.members ?? []).map(keyOfMember)),
    repeats(
      '/overrides',
      'date',
      (given.overrides ?? []).map(({ date }) => date),
      '/date',
    ),
    repeats(
      '/types',
      'key',
      (given.types ?? []).map(({ key }) => key),
      '/key',
    ),
    repeats(
      '/types',
      'slug',
      (given.types ?? []).map(({ key, slug }) => slug ?? key),
      '/slug',
    ),
    repeats(
      '/reminders',
      'time and channel',
      (given.reminders ?? []).map(({ before, channel }) => `${before} ${channel}`),
      '/before',
    ),
  ].flat(),
];

export const keyOfMember = (member: NonNullable<CalendarEntry['members']>[number]): string =>
  typeof member === 'string' ? member : member.member;

const crowdIn = ({ type = 'personal', members = [] }: CalendarEntry): readonly Issue[] =>
  type === 'personal' && members.length > 1
    ? [{ path: '/members', message: 'must be one member; personal is the calendar of one' }]
    : [];

const seatsIn = ({ type, types = [] }: CalendarEntry): readonly Issue[] =>
  types.flatMap(({ seats }, index) =>
    typeof seats === 'number' && type !== 'class'
      ? [{ path: `/types/${index}/seats`, message: 'is for calendars of the type class alone' }]
      : [],
  );

/** Windows that end before they start, or begin before the one before them has ended. */
function disorderIn({ hours, members = [], overrides = [] }: CalendarEntry): readonly Issue[] {
  return [
    ...disorderOfWeek('/hours', hours),
    ...members.flatMap((member, index) =>
      typeof member === 'string' ? [] : disorderOfWeek(`/members/${index}/hours`, member.hours),
    ),
    ...overrides.flatMap(({ hours: windows }, index) =>
      disorderOfDay(`/overrides/${index}/hours`, windows),
    ),
  ];
}

const disorderOfWeek = (path: string, hours: Hours | null | undefined): readonly Issue[] =>
  Object.entries(hours ?? {}).flatMap(([day, windows]) => disorderOfDay(`${path}/${day}`, windows));

function disorderOfDay(path: string, texts: readonly string[]): readonly Issue[] {
  const windows = windowsOf(texts);
  return windows.flatMap(([start, end], index) => {
    const at = `${path}/${index}`;
    if (start >= end) {
      return [{ path: at, message: 'must end after it starts' }];
    }
    return start < (windows[index - 1]?.[1] ?? 0)
      ? [{ path: at, message: 'must start once the one before it has ended' }]
      : [];
  });
}

function repeats(
  path: string,
  what: string,
  names: readonly string[],
  member = '',
): readonly Issue[] {
  const first = new Map<string, number>();
  return names.flatMap((name, index) => {
    const known = name.toLowerCase();
    const before = first.get(known);
    first.set(known, before ?? index);
    return before === undefined
      ? []
      : [{ path: `${path}/${index}${member}`, message: `repeats the ${what} of entry ${before}` }];
  });
}
