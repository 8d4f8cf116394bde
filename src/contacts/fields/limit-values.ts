import { invalidField } from '#core/fault.ts';

/** Texts, numbers and booleans by name. */
type CustomValues = Readonly<Record<string, unknown>>;

/** Of the custom values of one record, as JSON. */
const BYTES_MAX = 1_000_000;
/** JSON writes a control character as `\u0001`. */
const CHARACTER_BYTES_MAX = 6;
/** A number, or the quotes of a text, with the punctuation around it and its name. */
const MEMBER_BYTES_MAX = 32;

/**
 * Throws if the custom values of a record would grow beyond the limit; values that are larger already
 * may stay or shrink. The fault points to `path`, by default the values.
 */
export function refuseLargeValues(
  before: CustomValues,
  after: CustomValues,
  path = '/customFields',
): void {
  if (bytesAtMost(after) <= BYTES_MAX) {
    return;
  }
  const bytes = bytesOf(after);
  if (bytes > BYTES_MAX && bytes > bytesOf(before)) {
    const message = `would have ${bytes} bytes as JSON; at most ${BYTES_MAX} are allowed`;
    throw invalidField(path, message, { reason: 'custom_values_too_large', limit: BYTES_MAX });
  }
}

/** Returns those of the added values, in their order, that fit beside the stored ones. */
export function valuesThatFit(stored: CustomValues, added: CustomValues): CustomValues {
  if (bytesAtMost(stored) + bytesAtMost(added) <= BYTES_MAX) {
    return added;
  }
  let left = BYTES_MAX - bytesOf(stored);
  const fitting = Object.entries(added).filter(([name, value]) => {
    // A comma instead of two braces.
    const bytes = bytesOf({ [name]: value }) - 1;
    const fits = bytes <= left;
    left -= fits ? bytes : 0;
    return fits;
  });
  return Object.fromEntries(fitting);
}

/** An upper bound that reads no text: few records are large enough to be measured. */
function bytesAtMost(values: CustomValues): number {
  let characters = 0;
  let members = 0;
  for (const [name, value] of Object.entries(values)) {
    characters += name.length + (typeof value === 'string' ? value.length : 0);
    members += 1;
  }
  return characters * CHARACTER_BYTES_MAX + members * MEMBER_BYTES_MAX;
}

const bytesOf = (values: CustomValues): number => Buffer.byteLength(JSON.stringify(values));
