import { inOneLine, withoutAddresses } from '#platform/mail/mailer.ts';
import type { Receipt } from '../inbound/callback.schema.ts';
import { recipientsOf } from './automatic-mail.ts';
import { namedMessage, repliedTo } from './message-id.ts';
import { headerOf, messageIdsIn, type Mail } from './read-mail.ts';

const TEXT_MAX = 500;

/**
 * What a bounce tells (RFC 3464): one receipt for a message of ours that a server gave up on for a
 * lasting reason. It proves itself by the Message-ID, which who got the mail knows, and nobody else.
 */
export function bouncesIn(mail: Mail): Receipt[] {
  const failure = isReport(mail) ? reportedFailure(mail) : oldFashionedFailure(mail);
  const externalId =
    failure && (originalIds(mail).find((id) => namedMessage(id) !== undefined) ?? reportedTo(mail));
  return externalId === undefined ? [] : [{ externalId, status: 'bounced', ...failure }];
}

/** A report that does not say which mail it is about comes to an address that does (VERP). */
function reportedTo(mail: Mail): string | undefined {
  const id = repliedTo(recipientsOf(mail));
  return id === undefined ? undefined : `<${id}@bounce.invalid>`;
}

/** Whether the mail reports on mails: what became of them, or that they were read. */
const isReport = (mail: Mail): boolean =>
  /^\s*multipart\/report\b/i.test(headerOf(mail, 'content-type') ?? '');

interface Failure {
  readonly errorCode: string;
  readonly errorMessage: string;
}

const STATUS_PARTS = new Set(['message/delivery-status', 'message/global-delivery-status']);

const HEADER_PARTS = new Set([
  'message/rfc822',
  'message/global',
  'text/rfc822-headers',
  'message/global-headers',
  'message/rfc822-headers',
]);

function reportedFailure(mail: Mail): Failure | undefined {
  const [, ...recipients] = partsOf(mail, STATUS_PARTS).flatMap(groupsIn);
  for (const fields of recipients) {
    const diagnostic = (fields.get('diagnostic-code') ?? '').replace(/^\s*[\w.-]+\s*;\s*/, '');
    const status = lastingStatus(fields.get('status') ?? '', diagnostic);
    if (/^\s*failed\b/i.test(fields.get('action') ?? '') && status !== undefined) {
      return failureOf(status, diagnostic || 'the mail could not be delivered');
    }
  }
  return undefined;
}

/** A status that names no reason yields to the one that the other server gave. */
export function lastingStatus(status: string, diagnostic: string): string | undefined {
  const told = /\b([245]\.\d{1,3}\.\d{1,3})\b/.exec(status)?.[1];
  const detailed = /(?:^|[\s#(-])(5\.\d{1,3}\.\d{1,3})(?![\d.])/.exec(diagnostic)?.[1];
  if (told === undefined) {
    return detailed ?? (/^5\d\d\b/.test(diagnostic) ? '5.0.0' : undefined);
  }
  return told.startsWith('5.0.') ? (detailed ?? told) : lasting(told);
}

const lasting = (status: string) => (status.startsWith('5.') ? status : undefined);

/** Servers that write no report name who failed in a header, and the reason in the text. */
function oldFashionedFailure(mail: Mail): Failure | undefined {
  if (headerOf(mail, 'x-failed-recipients') === undefined) {
    return undefined;
  }
  const [reason] = /(?:^|\s)5\d\d[ #-][^\n]*/.exec(mail.text ?? '') ?? [];
  const status = reason && lastingStatus('', reason.trim());
  return status ? failureOf(status, reason) : undefined;
}

const failureOf = (errorCode: string, said: string): Failure => ({
  errorCode,
  errorMessage: inOneLine(withoutAddresses(said)).slice(0, TEXT_MAX),
});

/** What the mail that came back was called, best source first. */
function originalIds(mail: Mail): string[] {
  const told = partsOf(mail, STATUS_PARTS)
    .flatMap(groupsIn)
    .map((fields) => fields.get('original-message-id') ?? '');
  const returned = [...partsOf(mail, HEADER_PARTS), mail.text ?? ''].flatMap(
    (text) => /^message-id:\s*(<[^\s<>]+>)/im.exec(text)?.[1] ?? [],
  );
  return [...told, ...returned, ...messageIdsIn(mail, 'in-reply-to', 'references')];
}

const partsOf = ({ attachments }: Mail, kinds: ReadonlySet<string>): string[] =>
  attachments
    .filter(({ mimeType }) => kinds.has(mimeType))
    .map(({ content }) => textOf(content).slice(0, PART_MAX));

/** Headers stand first, and reports on one recipient are short. */
const PART_MAX = 100_000;

const textOf = (content: ArrayBuffer | Uint8Array | string): string =>
  typeof content === 'string' ? content : Buffer.from(content as ArrayBuffer).toString('utf8');

type Fields = Map<string, string>;

/** Groups of fields, an empty line between: of the report, then of each recipient. */
function groupsIn(text: string): Fields[] {
  const groups: Fields[] = [];
  let fields: Fields | undefined;
  let last = '';
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === '') {
      fields = undefined;
    } else if (fields && /^[ \t]/.test(line)) {
      fields.set(last, `${fields.get(last) ?? ''} ${line.trim()}`);
    } else {
      if (!fields) {
        fields = new Map();
        groups.push(fields);
      }
      const [name = '', ...value] = line.split(':');
      last = name.trim().toLowerCase();
      fields.set(last, value.join(':').trim());
    }
  }
  return groups;
}
