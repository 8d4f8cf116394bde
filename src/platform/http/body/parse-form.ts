import { Fault } from '#core/fault.ts';
import { hasMore } from '#lib/has-more.ts';

/** Ten times what the largest form has: one of the manifest has 50 fields, a call of Twilio as many. */
const FIELDS_MAX = 500;

/**
 * Parses an urlencoded form. Throws PAYLOAD_TOO_LARGE for more than 500 fields. They are counted before
 * the form is parsed: one megabyte can have 500,000, and their sender is not verified.
 */
export function parseForm(bytes: Buffer): URLSearchParams {
  const form = hasMore(bytes, '&', FIELDS_MAX)
    ? undefined
    : new URLSearchParams(bytes.toString('utf8'));
  if (form === undefined || form.size > FIELDS_MAX) {
    throw new Fault('PAYLOAD_TOO_LARGE', `the form has more than ${FIELDS_MAX} fields`);
  }
  return form;
}
