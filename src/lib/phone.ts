import {
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
  type CountryCode,
} from 'libphonenumber-js/max';
import { boundedCache } from './bounded-cache.ts';
import { currentZone } from './zone-names.ts';

/** An ISO 3166 code with a calling code. */
export type Country = CountryCode;

/**
 * Returns the country of a time zone, else of a locale such as `en-GB`, else of the second zone, else the
 * one where a language has the most speakers; the United States if none of them names one.
 */
export function countryOf(zone: string, locale: string, secondZone?: string): Country {
  const parsed = new Intl.Locale(locale);
  const zones = countriesByZone();
  const found =
    zones.get(currentZone(zone)) ??
    parsed.region ??
    (secondZone === undefined ? undefined : zones.get(currentZone(secondZone))) ??
    parsed.maximize().region;
  return asCountry(found) ?? 'US';
}

/** Returns the country of this code, in capitals, or undefined. */
export const asCountry = (code: string | undefined): Country | undefined =>
  code !== undefined && isSupportedCountry(code) ? code : undefined;

/**
 * Returns a number as people write it in E.164: `030 901820` of Germany and `+49 30 901820` are
 * `+4930901820`. Returns undefined if it cannot be a number.
 */
export function toE164(text: string, country: Country): string | undefined {
  const international = text.trim().replace(/^00/, '+');
  const parsed = parsePhoneNumberFromString(international, country);
  return parsed?.isPossible() ? parsed.number : undefined;
}

export interface CountryChoice {
  readonly code: Country;
  /** `Germany +49`. */
  readonly label: string;
}

/** Returns the countries by their names in a locale. */
export function countriesIn(locale: string): readonly CountryChoice[] {
  const { language } = new Intl.Locale(locale);
  return choices(language, () => {
    const names = new Intl.DisplayNames(language, { type: 'region' });
    return getCountries()
      .map((code) => ({ code, label: `${names.of(code)} +${getCountryCallingCode(code)}` }))
      .sort((one, other) => one.label.localeCompare(other.label, language));
  });
}

const choices = boundedCache<readonly CountryChoice[]>(20);

interface WithZones {
  getTimeZones?(): readonly string[] | undefined;
}

let byZone: ReadonlyMap<string, string> | undefined;

function countriesByZone(): ReadonlyMap<string, string> {
  byZone ??= new Map(
    getCountries().flatMap((code) => {
      const locale = new Intl.Locale(`und-${code}`) as Intl.Locale & WithZones;
      return (locale.getTimeZones?.() ?? []).map((zone) => [currentZone(zone), code] as const);
    }),
  );
  return byZone;
}
