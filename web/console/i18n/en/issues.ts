/** What is wrong with a value: in English, as the server says it. */
export const enIssues = {
  texts: {
    required: 'is required',
    empty: 'must not be empty',
    blank: 'must not be blank',
    number: 'must be a number',
    whole: 'must be an integer',
    wholeMinutes: 'must be whole minutes',
    email: 'must be an email address',
    phone: 'must be a phone number with its country code (E.164), for example +4930123456',
    url: 'must be a URL',
    secureUrl: 'must be an address that begins with https://',
    zone: 'must be an IANA time zone, for example Europe/Berlin',
    currency: 'must be an ISO 4217 currency code, for example EUR',
    date: 'must be a date, YYYY-MM-DD',
    hours: 'must be opening hours from-to, for example 09:00-17:30',
    color: 'must be a colour as #rrggbb, for example #1d4ed8',
  },
  /** With a number, or the allowed values. */
  limits: {
    tooShort: (min: string): string =>
      `must have at least ${min} character${min === '1' ? '' : 's'}`,
    tooLong: (max: string): string => `must have at most ${max} character${max === '1' ? '' : 's'}`,
    atLeast: (min: string): string => `must be at least ${min}`,
    atMost: (max: string): string => `must be at most ${max}`,
    above: (limit: string): string => `must be greater than ${limit}`,
    tooFew: (min: string): string => `must have at least ${min} item${min === '1' ? '' : 's'}`,
    tooMany: (max: string): string => `must have at most ${max} item${max === '1' ? '' : 's'}`,
    below: (limit: string): string => `must be less than ${limit}`,
    oneOf: (allowed: string): string => `must be one of ${allowed}`,
  },
  butIs: (given: string): string => `, not ${given}`,
};
