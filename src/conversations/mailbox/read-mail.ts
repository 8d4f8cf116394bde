import PostalMime, { addressParser, type Attachment } from 'postal-mime';
import type { FileContent } from '../../files/store-file.ts';
import { Fault } from '#core/fault.ts';
import { convert } from 'html-to-text';
import { hasMore } from '#lib/has-more.ts';
import { hasManyOpenTags, withoutTags } from '#lib/open-tags.ts';
import { inOneLine } from '#platform/mail/mailer.ts';
import { inboundText } from '../inbound/inbound-body.ts';
import { stripInvalidText } from '../providers/json-access.ts';

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

/** Headers that may contain the address that a mail was delivered to. */
const TO = ['to', 'cc', 'delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to'];

export const recipientsOf = (mail: Mail): string[] =>
  addressesIn(mail, ...TO).map(({ address }) => address);

/** Message-IDs in headers of these names, in order. */
export const messageIdsIn = (mail: Mail, ...names: readonly string[]): string[] =>
  names
    .flatMap((name) => mail.headers.get(name) ?? [])
    .flatMap((value) => value.match(/<[!-;=?-~]{1,996}>/g) ?? []);

const TEXT_MAX = 1_000_000;
const HTML_READ_MAX = 1_000_000;
const NAME_MAX = 200;
const ATTACHMENTS_MAX = 50;

/** The text of a mail, else of its HTML. */
export function textOf({ text, html }: Mail): string {
  const body = text?.trim() ? text : fromHtml(html ?? '');
  const plain = inboundText(body.slice(0, 2 * TEXT_MAX))
    .replaceAll('\r\n', '\n')
    .replace(/^(?:[^\S\n]*\n)+/, '')
    .trimEnd();
  return stripInvalidText(plain.slice(0, TEXT_MAX));
}

/** The files of a mail, images inside its text included. Mails within the mail are files, too. */
export const filesOf = ({ attachments }: Mail): FileContent[] =>
  attachments.slice(0, ATTACHMENTS_MAX).map(({ filename, mimeType, content }) => ({
    name: stripInvalidText(inOneLine((filename ?? '').slice(0, NAME_MAX))),
    type: stripInvalidText(mimeType).slice(0, NAME_MAX),
    bytes: typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content),
  }));

/** HTML beyond these limits is left out. */
const HTML_LIMITS = { maxInputLength: HTML_READ_MAX, maxDepth: 100, maxChildNodes: 5_000 };

function fromHtml(html: string): string {
  const read = html.slice(0, HTML_READ_MAX);
  if (hasManyOpenTags(read)) {
    return withoutTags(read);
  }
  return convert(read, {
    wordwrap: false,
    limits: HTML_LIMITS,
    selectors: [
      { selector: 'img', format: 'skip' },
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
    ],
  });
}
