import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const SHOWN_DIGITS = 2;
const HIDDEN = '••••';

/** `+4930901820` as `+49 •••• 20`: its owner recognises it, a reader of a forwarded mail learns little. */
export function maskedPhone(phone: string): string {
  const { parsePhoneNumberFromString } =
    require('libphonenumber-js/max') as typeof import('libphonenumber-js/max');
  const code = parsePhoneNumberFromString(phone)?.countryCallingCode;
  const start = code === undefined ? '' : `+${code} `;
  return `${start}${HIDDEN} ${phone.slice(-SHOWN_DIGITS)}`;
}

/** `ada@example.com` as `a••••@example.com`. */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const [first = ''] = email.slice(0, at);
  return `${first}${HIDDEN}${email.slice(at)}`;
}
