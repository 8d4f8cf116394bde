import { pattern, valuesCalled } from '#core/schema/describe-error.ts';
import { Type, type Static } from 'typebox';
import * as s from '#core/schema/schema.ts';
import { key } from '#core/section.ts';
import { CALENDAR_KINDS, WEEKDAYS, WINDOW_PATTERN } from './schedule.ts';

const DAY_MINUTES = 24 * 60;
const YEAR_MINUTES = 365 * DAY_MINUTES;
const ADVANCE_MAX_DAYS = 3_650;
const WINDOWS_MAX = 48;
const OVERRIDES_MAX = 1_000;
const MEMBERS_MAX = 200;
const TYPES_MAX = 200;
const REMINDERS_MAX = 20;
const SEATS_MAX = 10_000;
const PER_DAY_MAX = 10_000;
const SUBJECT_MAX = 998;
const BODY_MAX = 100_000;
const DESCRIPTION_MAX = 2_000;
const LOCATION_MAX = 300;
const URL_MAX = 2_000;
const PRICE_MAX = 1_000_000_000;

/** A number of minutes: durations such as `30m` are for workflows only. */
const wholeMinutes = (
  minimum: number,
  maximum: number,
  options: { readonly description?: string; readonly examples?: readonly number[] } = {},
) => Type.Integer({ minimum, maximum, ...valuesCalled('whole minutes'), ...options });

const minutes = (minimum: number, maximum: number, description: string) =>
  Type.Optional(wholeMinutes(minimum, maximum, { description: `${description}, in minutes.` }));

const windows = Type.Array(
  Type.String(pattern(WINDOW_PATTERN, 'must be opening hours from-to, for example 09:00-17:30')),
  { maxItems: WINDOWS_MAX, examples: [['09:00-17:00']] },
);

const hours = s.request(
  Object.fromEntries(WEEKDAYS.map((day) => [day, Type.Optional(windows)])) as {
    [day in (typeof WEEKDAYS)[number]]: ReturnType<typeof Type.Optional<typeof windows>>;
  },
);
export type Hours = Static<typeof hours>;

const member = Type.Union([
  key(),
  s.request({ member: key(), hours: Type.Optional(s.nullable(hours)) }),
]);
export type MemberEntry = Static<typeof member>;

const override = s.request({ date: s.isoDate(), hours: windows });
export type OverrideEntry = Static<typeof override>;

/** A message to the customer. */
const notice = {
  channel: s.oneOf(['email', 'sms']),
  subject: Type.Optional(s.nullable(s.shortText({ maxLength: SUBJECT_MAX }))),
  body: s.shortText({ maxLength: BODY_MAX }),
};
const confirmation = s.request(notice);
const reminder = s.request({
  before: wholeMinutes(1, YEAR_MINUTES, {
    description: 'How long before the appointment it is sent, in minutes.',
    examples: [1_440],
  }),
  ...notice,
});
export type Confirmation = Required<Static<typeof confirmation>>;
export type Reminder = Required<Static<typeof reminder>>;

const type = s.request({
  key: key(),
  name: s.shortText(),
  slug: Type.Optional(key()),
  duration: Type.Optional(
    wholeMinutes(1, DAY_MINUTES, { description: 'Length in minutes.', examples: [30] }),
  ),
  seats: Type.Optional(s.nullable(Type.Integer({ minimum: 1, maximum: SEATS_MAX }))),
  description: Type.Optional(
    s.nullable(
      s.shortText({ maxLength: DESCRIPTION_MAX, description: 'Text that the booking pages show.' }),
    ),
  ),
  price: Type.Optional(
    s.nullable(
      Type.Number({
        minimum: 0,
        maximum: PRICE_MAX,
        description: "Price that the booking pages show, in the sub-account's currency.",
      }),
    ),
  ),
  location: Type.Optional(
    s.nullable(s.shortText({ maxLength: LOCATION_MAX, description: 'Where it takes place.' })),
  ),
  videoUrl: Type.Optional(
    s.nullable(
      Type.String({
        ...pattern('^https://[^/]', 'must be an address that begins with https://'),
        format: 'uri',
        maxLength: URL_MAX,
        description: 'Link of the video call; shown only to customers who have booked.',
      }),
    ),
  ),
  active: Type.Optional(Type.Boolean()),
});
type TypeEntry = Static<typeof type>;

/** A calendar in the manifest (contract 10). */
export const calendarEntry = s.request({
  key: key({ description: 'Key by which the rest of the manifest refers to the calendar.' }),
  name: s.shortText({ description: 'Name that customers see.' }),
  type: Type.Optional(
    s.oneOf(CALENDAR_KINDS, { description: 'How appointments are assigned; default: personal.' }),
  ),
  timezone: Type.Optional(
    s.nullable(
      s.timeZone({ description: "Time zone of all its times of day; default: the sub-account's." }),
    ),
  ),
  members: Type.Optional(
    Type.Array(member, {
      maxItems: MEMBERS_MAX,
      description: 'Team members who give its appointments.',
    }),
  ),
  hours: Type.Optional(hours),
  overrides: Type.Optional(
    Type.Array(override, {
      maxItems: OVERRIDES_MAX,
      description: 'Dates with hours of their own; an empty list closes the date.',
    }),
  ),
  slotInterval: Type.Optional(
    s.nullable(
      wholeMinutes(1, DAY_MINUTES, {
        description: "Minutes between the starts of slots; default: the type's duration.",
      }),
    ),
  ),
  buffers: Type.Optional(
    s.request({
      before: minutes(0, DAY_MINUTES, 'Time kept free before an appointment'),
      after: minutes(0, DAY_MINUTES, 'Time kept free after an appointment'),
    }),
  ),
  minimumNotice: minutes(0, YEAR_MINUTES, 'Shortest time between booking and start'),
  maximumAdvance: Type.Optional(
    s.nullable(
      Type.Integer({
        minimum: 1,
        maximum: ADVANCE_MAX_DAYS,
        description: 'Number of days ahead that slots can be booked.',
      }),
    ),
  ),
  maxPerDay: Type.Optional(
    s.nullable(
      Type.Integer({
        minimum: 1,
        maximum: PER_DAY_MAX,
        description: 'Maximum number of appointments per date.',
      }),
    ),
  ),
  allowCustomerReschedule: Type.Optional(
    Type.Boolean({ description: 'Whether customers can move their appointments; default: true.' }),
  ),
  cancelNotice: minutes(
    0,
    YEAR_MINUTES,
    'Shortest time before the start at which customers can cancel',
  ),
  rescheduleNotice: minutes(
    0,
    YEAR_MINUTES,
    'Shortest time before the start at which customers can move',
  ),
  showSeats: Type.Optional(
    Type.Boolean({ description: 'Whether slots of a class show the seats left.' }),
  ),
  waitingListMinutes: Type.Optional(
    s.nullable(
      wholeMinutes(1, DAY_MINUTES, {
        description:
          'Waiting list of full days: minutes for which a freed slot is held for one person.',
      }),
    ),
  ),
  confirmation: Type.Optional(s.nullable(confirmation)),
  reminders: Type.Optional(Type.Array(reminder, { maxItems: REMINDERS_MAX })),
  types: Type.Optional(
    Type.Array(type, {
      maxItems: TYPES_MAX,
      description: 'All appointment types of the calendar; a type left out is removed.',
    }),
  ),
});
export type CalendarEntry = Static<typeof calendarEntry>;

const DURATION_MINUTES = 30;

type Whole<T> = { readonly [K in keyof T]-?: Exclude<T[K], undefined> };

export type WholeType = Whole<TypeEntry>;

/** A calendar with all optional members filled in. */
export type WholeCalendar = Omit<
  Whole<CalendarEntry>,
  'buffers' | 'confirmation' | 'reminders' | 'types'
> & {
  readonly buffers: { readonly before: number; readonly after: number };
  readonly confirmation: Confirmation | null;
  readonly reminders: readonly Reminder[];
  readonly types: readonly WholeType[];
};

/** Fills in defaults. Leaving out `types` keeps the stored types; everything else left out is reset. */
export function completeCalendar(
  entry: CalendarEntry,
  stored: WholeCalendar | undefined,
): WholeCalendar {
  const { confirmation, buffers, members = [], overrides = [], reminders = [], types } = entry;
  return {
    ...DEFAULTS,
    ...entry,
    members: members.map(plainMember),
    hours: plainHours(entry.hours ?? {}),
    overrides,
    buffers: { before: 0, after: 0, ...buffers },
    confirmation: confirmation ? { subject: null, ...confirmation } : null,
    reminders: reminders.map((reminder) => ({ subject: null, ...reminder })),
    types: types?.map(completeType) ?? stored?.types ?? [],
  };
}

const DEFAULTS = {
  type: 'personal',
  timezone: null,
  slotInterval: null,
  minimumNotice: 0,
  maximumAdvance: null,
  maxPerDay: null,
  allowCustomerReschedule: true,
  cancelNotice: 0,
  rescheduleNotice: 0,
  showSeats: false,
  waitingListMinutes: null,
} as const;

const completeType = ({
  key,
  name,
  slug = key,
  duration = DURATION_MINUTES,
  seats = null,
  description = null,
  price = null,
  location = null,
  videoUrl = null,
  active = true,
}: TypeEntry): WholeType => {
  const details = { description, price, location, videoUrl };
  return { key, name, slug, duration, seats, ...details, active };
};

/** A member without own hours is written as their key. */
export function plainMember(member: MemberEntry): MemberEntry {
  if (typeof member === 'string') {
    return member;
  }
  return member.hours ? { member: member.member, hours: plainHours(member.hours) } : member.member;
}

/** Leaves out days without windows, and sorts the days. */
export const plainHours = (hours: Hours): Hours =>
  Object.fromEntries(WEEKDAYS.flatMap((day) => (hours[day]?.length ? [[day, hours[day]]] : [])));
