import { createHash } from 'node:crypto';

/** A text, or its bytes as they were received. */
export type CalendarText = string | Uint8Array;

/** What is known about a calendar before its busy times are read. */
export interface CalendarDigest {
  /** The hash of all texts. */
  readonly hash: string;
  /** Ids of appointments whose events may be ours: UIDs of the form `ID@frontdesk`. */
  readonly ids: readonly string[];
}

/** More than a person has in the time that is read. */
const IDS_MAX = 20_000;

const OWN = /^UID:([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})@frontdesk\s*$/gim;

export const textOf = (text: CalendarText): string =>
  typeof text === 'string' ? text : new TextDecoder().decode(text).trim();

/** Returns the digest of a calendar. Throws if it has too many events of appointments. */
export function digestOf(texts: readonly string[]): CalendarDigest {
  const hash = createHash('sha256').update(texts.join('\n')).digest('base64url');
  const ids = new Set<string>();
  for (const text of texts) {
    for (const [, id = ''] of text.matchAll(OWN)) {
      ids.add(id.toLowerCase());
      if (ids.size > IDS_MAX) {
        throw new Error(`it has events of more than ${IDS_MAX} appointments`);
      }
    }
  }
  return { hash, ids: [...ids] };
}
