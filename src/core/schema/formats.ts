import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** Without control and invisible characters: two contacts could have addresses that look the same. */
const EMAIL =
  /^[^\s@<>()[\]\\,;:"\p{C}]{1,64}@(?:[^\s@.<>()[\]\\,;:"\p{C}]{1,63}\.)*[^\s@.<>()[\]\\,;:"\p{C}]{1,63}$/u;
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
/** Offsets may be without a colon, as `%z` of `strftime` writes them. `24:00` names no time of its day. */
const TIME =
  /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})$/;
const withColon = (text: string): string => text.replace(/([+-]\d{2})(\d{2})$/, '$1:$2');

/** A day of the calendar: `2026-02-30` is rejected. */
function isDate(text: string): boolean {
  const time = DATE.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** Returns whether a text is a complete URL of the web. */
export const isWebUrl = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text);

/** Known zones: a formatter costs 50 µs, and an import checks the same few. */
const zones = new Set<string>();
const ZONES_MAX = 1_000;

/** An IANA zone name that the platform knows; offsets such as `+05:30` are rejected. */
function isTimeZone(name: string): boolean {
  if (zones.has(name)) {
    return true;
  }
  try {
    const isZone =
      /^[A-Za-z]/.test(name) && Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
    if (isZone && zones.size < ZONES_MAX) {
      zones.add(name);
    }
    return isZone;
  } catch {
    return false;
  }
}

const currencies = new Set(Intl.supportedValuesOf('currency'));

/** The last number that was one: an import checks each twice, as a cell and as a contact's phone. */
let lastPhone: string | undefined;

/** A possible E.164 number. The metadata (13 MB on disk) is loaded with the first number. */
function isPhone(text: string): boolean {
  if (text === lastPhone) {
    return true;
  }
  const parsed = text.startsWith('+') ? parsePhoneNumberFromString(text) : undefined;
  const isPossible = parsed?.number === text && parsed.isPossible();
  lastPhone = isPossible ? text : lastPhone;
  return isPossible;
}

interface Format {
  readonly test: (text: string) => boolean;
  /** The error message. */
  readonly says: string;
  /** The canonical form, in which the text is compared and stored. */
  readonly canonical?: (text: string) => string;
}

/** A character that is shown: not a blank, and none without width, such as U+200B. */
const VISIBLE = /[^\s\p{Default_Ignorable_Code_Point}]/u;

/** Returns whether a text shows nothing. */
export const isBlank = (text: string): boolean => !VISIBLE.test(text);

/** The formats of our schemas. */
export const FORMATS: Readonly<Record<string, Format>> = {
  uuid: {
    test: (text) => UUID.test(text),
    says: 'must be an id (a UUID)',
    canonical: (text) => text.toLowerCase(),
  },
  email: { test: (text) => EMAIL.test(text), says: 'must be an email address' },
  e164: {
    test: isPhone,
    says: 'must be a phone number with its country code (E.164), for example +4930123456',
  },
  date: { test: isDate, says: 'must be a date, YYYY-MM-DD' },
  'date-time': {
    test: (text) =>
      TIME.test(text) && isDate(text.slice(0, 10)) && !Number.isNaN(Date.parse(withColon(text))),
    canonical: withColon,
    says: 'must be a date and time with an offset (ISO 8601), for example 2026-01-31T09:00:00Z',
  },
  'time-zone': { test: isTimeZone, says: 'must be an IANA time zone, for example Europe/Berlin' },
  currency: {
    test: (text) => currencies.has(text),
    says: 'must be an ISO 4217 currency code, for example EUR',
  },
  uri: { test: isWebUrl, says: 'must be a URL' },
  search: {
    test: (text) => text.trim().length >= 2,
    says: 'must have at least 2 characters, not counting blanks at its ends',
  },
  'not-only-blanks': {
    test: (text) => text === '' || !isBlank(text),
    says: 'must not be blank',
  },
  'not-blank': { test: (text) => !isBlank(text), says: 'must not be blank' },
};
