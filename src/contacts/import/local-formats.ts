import { getExampleNumber } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { FORMATS } from '#core/schema/formats.ts';
import type { Region } from '../../accounts/sub-accounts/sub-account.store.ts';
import { countryOf, toE164, type Country } from '#lib/phone.ts';

/** How the people of a sub-account write phones and dates. */
export interface LocalFormats {
  /** Returns a phone in E.164; a text that cannot be one is returned as it is. */
  readonly phone: (text: string) => string;
  /** A mobile number as it is written in the country, and in E.164. */
  readonly examplePhones: () => readonly [national: string, international: string];
  /** Returns a date as `YYYY-MM-DD`; a text that cannot be one is returned as it is. */
  readonly date: (text: string) => string;
  /** Returns the message of an issue; for a wrong phone, date or email, with its text and what to write. */
  readonly explain: (message: string, value: unknown) => string;
}

/**
 * Returns the formats of a sub-account. National numbers belong to the country that the booking page
 * preselects; dates have the order of the locale.
 */
export function localFormats({ timezone, locale }: Region): LocalFormats {
  const country = countryOf(timezone, locale);
  const order = dateOrder(locale, country);
  const help = [
    ['e164', () => phoneHelp(examplePhonesOf(country))],
    ['date', () => `is not a date; write ${DATE_HELP[order[0] ?? 'year']}`],
    ['email', () => 'is not an email address; write one address and nothing else'],
  ] as const;
  return {
    phone: (text) => phoneOf(text, country),
    examplePhones: () => examplePhonesOf(country),
    date: (text) => dateOf(text, order),
    explain(message, value) {
      const found = help.find(([format]) => message.startsWith(FORMATS[format]?.says ?? ' '));
      return found && typeof value === 'string' ? `${quoted(value)} ${found[1]()}` : message;
    },
  };
}

/** Longer values are cut. */
const QUOTED_MAX = 40;

/** Returns a cell's text in quotation marks, without the control characters that a terminal obeys. */
function quoted(text: string): string {
  const start = Array.from(text.slice(0, 2 * QUOTED_MAX + 1)).slice(0, QUOTED_MAX);
  const shown = start.join('').replaceAll(/\p{C}/gu, '\ufffd');
  return JSON.stringify(shown.length < text.length ? `${shown}…` : shown);
}

/** Letters are left out: the library would drop an extension or a second number without a word. */
const PHONE = /^[+\d\s()./\u2010-\u2015-]+$/;
/** A shorter number without a country code is an extension or incomplete. */
const NATIONAL_DIGITS_MIN = 7;

function phoneOf(text: string, country: Country): string {
  if (FORMATS['e164']?.test(text)) {
    return text;
  }
  const digits = text.replaceAll(/\D/g, '').length;
  const isPhone = PHONE.test(text) && digits >= NATIONAL_DIGITS_MIN;
  return (isPhone ? toE164(text, country) : undefined) ?? text;
}

function examplePhonesOf(country: Country): readonly [string, string] {
  const example = getExampleNumber(country, examples);
  return example ? [example.formatNational(), example.number] : ['030 123456', '+4930123456'];
}

function phoneHelp([national, international]: readonly [string, string]): string {
  return `is not a phone number; write one number and nothing else, national or with its country code, as in ${national} or ${international}`;
}

type DatePart = 'day' | 'month' | 'year';

/**
 * Returns the parts of a date in the order in which a locale writes them. A language alone, such as `en`,
 * is that of the country: `en` of Berlin has the day first.
 */
function dateOrder(locale: string, country: Country): readonly DatePart[] {
  const { language, region = country } = new Intl.Locale(locale);
  const format = new Intl.DateTimeFormat(`${language}-${region}`, {
    calendar: 'gregory',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return format
    .formatToParts(0)
    .map(({ type }) => type)
    .filter((type): type is DatePart => ['day', 'month', 'year'].includes(type));
}

/** The same separator twice. */
const DAY_OR_MONTH_FIRST = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})$/;
const YEAR_FIRST = /^(\d{4})([./-])(\d{1,2})\2(\d{1,2})$/;

function dateOf(text: string, order: readonly DatePart[]): string {
  const [, year, , month = '', day = ''] = YEAR_FIRST.exec(text) ?? [];
  if (year !== undefined) {
    return isoDate(year, month, day) ?? text;
  }
  const [, first = '', , second = '', last] = DAY_OR_MONTH_FIRST.exec(text) ?? [];
  if (last === undefined || order[0] === 'year') {
    return text;
  }
  const iso = order[0] === 'day' ? isoDate(last, second, first) : isoDate(last, first, second);
  return iso ?? text;
}

function isoDate(year: string, month: string, day: string): string | undefined {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return FORMATS['date']?.test(date) ? date : undefined;
}

const DATE_HELP: Readonly<Record<DatePart, string>> = {
  day: 'day/month/year, as in 14/02/1985, or 1985-02-14',
  month: 'month/day/year, as in 02/14/1985, or 1985-02-14',
  year: 'year-month-day, as in 1985-02-14',
};
