/** What the mail of an offer says. */
interface OfferTexts {
  readonly what: string;
  readonly when: string;
  /** When the offer ends. */
  readonly until: string;
  readonly link: string;
}

/** What the mail of a new place says. */
interface JoinedTexts {
  readonly what: string;
  readonly day: string;
  readonly link: string;
}

/** The texts of the booking pages. */
export const english = {
  minutes: (count: number) => (count === 1 ? '1 minute' : `${count} minutes`),
  book: (what: string) => `Book: ${what}`,
  bookWith: (brand: string) => `Book with ${brand}`,
  whatToBook: 'What would you like to book?',
  nothingToBook: 'There is nothing to book here at the moment.',
  timeZone: 'Time zone',
  change: 'Change',
  chooseDay: 'Choose a day',
  timesOn: (day: string) => `Times on ${day}`,
  freeTimes: (count: number) => (count === 1 ? '1 time' : `${count} times`),
  today: 'today',
  earlier: 'Previous month',
  later: 'Next month',
  emptyMonth: (month: string) => `No free times in ${month}.`,
  seats: (count: number) => (count === 1 ? '1 seat left' : `${count} seats left`),
  yourDetails: 'Your details',
  firstName: 'First name',
  lastName: 'Last name',
  email: 'Email',
  phone: 'Phone',
  notes: 'Anything we should know?',
  optional: 'optional',
  confirm: 'Confirm booking',
  wait: 'One moment …',
  otherTime: 'Choose another time',
  checkThese: 'Please check what you entered:',
  missing: 'Please fill this in.',
  nameWithWebsite: 'A name must not contain the address of a website.',
  badEmail: 'This does not look like an email address.',
  badPhone:
    'This is not a phone number of this country. Choose another country, or begin with its code, such as +44.',
  tooLong: 'This is too long.',
  nextTimes: 'Next free times',
  reasons: {
    offer_ended: 'This offer has ended. You are still on the waiting list.',
    day_not_full: 'This day has free times. Please go back and choose one.',
    waiting_list_full:
      'The waiting list of this day is full. Please go back and choose another day.',
    already_booked:
      'You already have an appointment at that time. To book another one, please choose a different time.',
    slot_unavailable: 'That time has just been taken. Please choose another one.',
    day_full: 'That day is fully booked now. Please choose another one.',
    slot_in_past: 'That time has passed. Please choose another one.',
    too_soon: 'That time is too soon to be booked. Please choose a later one.',
    too_far_ahead: 'That time is too far ahead to be booked. Please choose an earlier one.',
    closed: 'That time cannot be booked. Please choose another one.',
    started: 'This appointment has already started, so it cannot be changed here.',
    series: 'This appointment is part of a series. Please contact us to change it.',
    reschedule_not_allowed: 'This appointment cannot be rescheduled online. Please contact us.',
    too_late: 'It is too late to change this appointment online. Please contact us.',
    invalid_transition: 'This appointment can no longer be changed.',
  },
  booked: 'You are booked',
  bookedLead: 'Keep this page: you can reschedule or cancel your appointment here.',
  unchanged:
    'This time is already booked, with the details that you sent first. If they are wrong, please cancel here and book again, or contact us.',
  moved: 'Your appointment was rescheduled',
  cancelled: 'This appointment is cancelled',
  past: 'This appointment is over',
  yours: 'Your appointment',
  what: 'What',
  when: 'When',
  withWhom: 'With',
  addToCalendar: 'Add to calendar',
  move: 'Reschedule',
  moveIt: 'Choose a new time',
  moveTo: 'Reschedule to this time',
  from: 'Now',
  to: 'New',
  cancel: 'Cancel appointment',
  cancelSure: 'Cancel this appointment?',
  cancelReason: 'Reason',
  bookAgain: 'Book again',
  back: 'Back',
  notFound: 'This page does not exist',
  notFoundLead: 'The link may be incomplete, or what it led to is no longer offered.',
  tooMany: 'Too many requests',
  tooManyLead: 'Please try again later.',
  badRequest: 'Something went wrong',
  badRequestLead: 'Please go back and try again.',
  unavailable: 'We cannot be reached right now',
  unavailableLead: 'Please try again in a moment.',
  free: 'Free',
  videoCall: 'Video call',
  country: 'Country',
  searchZones: 'Search: city, region or UTC+2',
  nextFree: (day: string) => `Next free day: ${day}`,
  clock: 'Time format',
  hours: (clock: string) => `${clock} h`,
  where: 'Where',
  join: 'Join the video call',
  google: 'Google Calendar',
  outlook: 'Outlook',
  file: 'Calendar file (.ics)',
  offerSubject: (what: string) => `A time is free: ${what}`,
  offerBody: ({ what, when, until, link }: OfferTexts) =>
    `A time has become free: ${what}, ${when}.\n\nWe hold it for you until ${until}. Book or decline it here:\n\n${link}`,
  joinedSubject: (what: string) => `You are on the waiting list: ${what}`,
  joinedBody: ({ what, day, link }: JoinedTexts) =>
    `You are on the waiting list: ${what}, ${day}.\n\nIf a time becomes free, we email you a link and hold the time for you. You can leave the waiting list here:\n\n${link}`,
  dayFull: 'This day is fully booked.',
  full: 'fully booked',
  joinWaiting: 'Join the waiting list',
  joinWaitingFor: (day: string) => `Waiting list for ${day}`,
  joinLead: 'If a time becomes free, we email you and hold it for you for a while.',
  waitingTitle: 'You are on the waiting list',
  waitingLead: 'If a time becomes free, we email you a link and hold the time for you.',
  joinedHint: 'You can leave the waiting list with the link in our email.',
  offerTitle: 'A time is free for you',
  offerUntil: (until: string) => `We hold it for you until ${until}.`,
  bookThis: 'Book this time',
  decline: 'No, thanks',
  leave: 'Leave the waiting list',
  leftTitle: 'You are no longer on the waiting list',
  waitingOver: 'This waiting list has ended',
  day: 'Day',
  changed: 'Your appointment has changed:',
  manageLink: (link: string) => `Cancel or move: ${link}`,
};

/** The names of the values in texts of added languages. */
export const values = {
  minutes: ['count'],
  book: ['what'],
  bookWith: ['brand'],
  timesOn: ['day'],
  freeTimes: ['count'],
  emptyMonth: ['month'],
  seats: ['count'],
  nextFree: ['day'],
  hours: ['clock'],
  offerSubject: ['what'],
  offerBody: ['what', 'when', 'until', 'link'],
  joinedSubject: ['what'],
  joinedBody: ['what', 'day', 'link'],
  joinWaitingFor: ['day'],
  offerUntil: ['until'],
  manageLink: ['link'],
} as const satisfies Partial<Record<keyof typeof english, readonly string[]>>;

export type Messages = typeof english;
