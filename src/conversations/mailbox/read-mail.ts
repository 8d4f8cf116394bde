import PostalMime, { addressParser, type Attachment } from 'postal-mime';
import { Fault } from '#core/fault.ts';

/** A parsed mail. */
export interface Mail {
  /** All values of a header by its name in lower case, in order. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly subject: string | undefined;
  readonly date: string | undefined;
  readonly text: string | undefined;
  readonly html: string | undefined;
  readonly attachments: readonly Attachment[];
}

/** 25 MiB in base64 are 350,000 lines. A line that starts with two dashes may start a part of 1 kB. */
const LINES_MAX = 450_000;
const PARTS_MAX = 10_000;
const HEADERS_MAX_BYTES = 512 * 1024;
const DEPTH_MAX = 50;

const LIMITS = {
  maxNestingDepth: DEPTH_MAX,
  maxHeadersSize: HEADERS_MAX_BYTES,
  // A mail within the mail is an attachment: it may be forwarded, or the subject of a bounce.
  forceRfc822Attachments: true,
};

/** Throws VALIDATION_ERROR if the mail cannot be parsed. */
export async function readMail(raw: Buffer): Promise<Mail> {
  refuseTooComplex(raw);
  const parsed = await PostalMime.parse(raw, LIMITS).catch((error: Error) => {
    throw unreadable(error.message);
  });
  const headers = Map.groupBy(parsed.headers, ({ key }) => key);
  return {
    headers: new Map([...headers].map(([key, all]) => [key, all.map(({ value }) => value)])),
    subject: parsed.subject,
    date: parsed.date,
    text: parsed.text,
    html: parsed.html,
    attachments: parsed.attachments,
  };
}

/** Such mails would keep the parser busy for minutes. */
function refuseTooComplex(raw: Buffer): void {
  if (hasMore(raw, '\n', LINES_MAX) || hasMore(raw, '\n--', PARTS_MAX)) {
    throw unreadable('it has too many lines or parts');
  }
}

function hasMore(raw: Buffer, what: string, limit: number): boolean {
  let at = -1;
  for (let found = 0; found <= limit; found += 1) {
    at = raw.indexOf(what, at + 1, 'latin1');
    if (at < 0) {
      return false;
    }
  }
  return true;
}

export const unreadable = (why: string): Fault =>
  new Fault('VALIDATION_ERROR', `the mail cannot be read: ${why}`, { reason: 'unreadable_mail' });

/** The first value of a header. */
export const headerOf = ({ headers }: Mail, name: string): string | undefined =>
  headers.get(name)?.[0]?.trim();

/** Mailboxes in headers of these names. */
export const addressesIn = (mail: Mail, ...names: readonly string[]) =>
  names
    .flatMap((name) => mail.headers.get(name) ?? [])
    .flatMap((value) => addressParser(value, { flatten: true }))
    .flatMap(({ name, address }) => (address ? [{ name, address }] : []));

/** Message-IDs in headers of these names, in order. */
export const messageIdsIn = (mail: Mail, ...names: readonly string[]): string[] =>
  names
    .flatMap((name) => mail.headers.get(name) ?? [])
    .flatMap((value) => value.match(/<[^\s<>]{1,996}>/g) ?? []);
