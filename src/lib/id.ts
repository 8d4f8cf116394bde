import { hash } from 'node:crypto';
import { V7Generator } from 'uuidv7';

/** Fetched by the thousand: the call costs more than the numbers. */
const random = new Uint32Array(1_024);
let used = random.length;

const generator = new V7Generator({
  nextUint32() {
    if (used === random.length) {
      crypto.getRandomValues(random);
      used = 0;
    }
    return random[used++] as number;
  },
});

/**
 * Returns a UUIDv7. Ids sort by creation, also those made by one process within one millisecond, so
 * lists are read from the primary key. A clock that goes back by up to 10 s does not change the order.
 */
export const newId = (now: Date): string =>
  generator.generateOrResetWithTs(now.getTime()).toString();

/** Returns the first twelve hexadecimal digits of ids of that millisecond. */
export const timeDigits = (time: Date): string => time.getTime().toString(16).padStart(12, '0');

/** A UUID in lower case, as a part of a regular expression. */
export const UUID = '[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}';
const ID = new RegExp(`^${UUID}$`);

/** Returns whether a text is an id: a UUID in lower case. */
export const isId = (text: string): boolean => ID.test(text);

const ID_IN_ANY_CASE = new RegExp(ID, 'i');

/** Returns whether a text is a UUID, as callers may write one. */
export const isIdInAnyCase = (text: string | undefined): text is string =>
  text !== undefined && ID_IN_ANY_CASE.test(text);

/** Returns whether an id was made after a time, by its milliseconds. */
export const isNewerThan = (id: string, time: Date): boolean =>
  id.replaceAll('-', '').slice(0, 12) > timeDigits(time);

/** Returns the smallest id of that millisecond: all older ids sort before it. */
export function firstIdAt(time: Date): string {
  const hex = timeDigits(time);
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** Returns the time of an id in epoch milliseconds. */
export const timeOfId = (id: string): number =>
  Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);

/** The sub-account id of changes by the agency itself. */
export const AGENCY = '00000000-0000-0000-0000-000000000000';

/** The 16 bytes of a UUID. */
export const uuidToBytes = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex');

/** The UUID that 16 bytes stand for. */
export const uuidFromBytes = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** Returns an id made of a hash: the same text has the same id. */
export const hashedId = (text: string): string =>
  uuidFromBytes(hash('sha256', text, 'buffer').subarray(0, 16));
