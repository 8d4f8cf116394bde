import type { EntryIssue } from '#core/section.ts';
import type { CalendarEntry, Hours } from './calendar-entry.ts';
import { windowsOf } from './schedule.ts';

/** Returns the issues that a schema cannot find. */
export const calendarIssues = (entry: CalendarEntry): readonly EntryIssue[] => [
  ...memberIssues(entry),
  ...seatIssues(entry),
  ...windowIssues(entry),
  ...[
    repeats('/members', 'member', (entry.members ?? []).map(keyOfMember)),
    repeats(
      '/overrides',
      'date',
      (entry.overrides ?? []).map(({ date }) => date),
      '/date',
    ),
    repeats(
      '/types',
      'key',
      (entry.types ?? []).map(({ key }) => key),
      '/key',
    ),
    repeats(
      '/types',
      'slug',
      (entry.types ?? []).map(({ key, slug }) => slug ?? key),
      '/slug',
    ),
    repeats(
      '/reminders',
      'time and channel',
      (entry.reminders ?? []).map(({ before, channel }) => `${before} ${channel}`),
      '/before',
    ),
  ].flat(),
];

export const keyOfMember = (member: NonNullable<CalendarEntry['members']>[number]): string =>
  typeof member === 'string' ? member : member.member;

const memberIssues = ({ type = 'personal', members = [] }: CalendarEntry): readonly EntryIssue[] =>
  type === 'personal' && members.length > 1
    ? [
        {
          path: '/members',
          message:
            'must have at most one member in a personal calendar; use round-robin, collective or class',
        },
      ]
    : [];

const seatIssues = ({ type, types = [] }: CalendarEntry): readonly EntryIssue[] =>
  types.flatMap(({ seats }, index) =>
    typeof seats === 'number' && type !== 'class'
      ? [
          {
            path: `/types/${index}/seats`,
            message: 'is allowed only if the calendar has the type class',
          },
        ]
      : [],
  );

/** Finds windows that end before they start, or start before the previous one has ended. */
function windowIssues({
  hours,
  members = [],
  overrides = [],
}: CalendarEntry): readonly EntryIssue[] {
  return [
    ...weekIssues('/hours', hours),
    ...members.flatMap((member, index) =>
      typeof member === 'string' ? [] : weekIssues(`/members/${index}/hours`, member.hours),
    ),
    ...overrides.flatMap(({ hours: windows }, index) =>
      dayIssues(`/overrides/${index}/hours`, windows),
    ),
  ];
}

const weekIssues = (path: string, hours: Hours | null | undefined): readonly EntryIssue[] =>
  Object.entries(hours ?? {}).flatMap(([day, windows]) => dayIssues(`${path}/${day}`, windows));

function dayIssues(path: string, texts: readonly string[]): readonly EntryIssue[] {
  const windows = windowsOf(texts);
  return windows.flatMap(([start, end], index) => {
    const at = `${path}/${index}`;
    if (start >= end) {
      return [{ path: at, message: 'must end after it starts' }];
    }
    return start < (windows[index - 1]?.[1] ?? 0)
      ? [{ path: at, message: 'must not start before the previous window ends' }]
      : [];
  });
}

function repeats(
  path: string,
  what: string,
  names: readonly string[],
  member = '',
): readonly EntryIssue[] {
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
