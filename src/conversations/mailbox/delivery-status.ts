import { inOneLine, withoutAddresses } from '#platform/mail/mailer.ts';
import type { Receipt } from '../inbound/callback.schema.ts';
import { namedMessage, repliedTo } from './mail-thread.ts';
import { headerOf, messageIdsIn, recipientsOf, type Mail } from './read-mail.ts';

const TEXT_MAX = 500;
/** Servers say less; the rest of an endless line is not searched for addresses. */
const SAID_MAX = 4 * TEXT_MAX;

/**
 * Returns the receipt of a bounce (RFC 3464): an outbound message failed permanently. It is authenticated
 * by the Message-ID, which only recipients know.
 */
export function bouncesIn(mail: Mail): Receipt[] {
  const failure = isReport(mail) ? reportedFailure(mail) : unstructuredFailure(mail);
  const externalId =
    failure && (originalIds(mail).find((id) => namedMessage(id) !== undefined) ?? reportedTo(mail));
  return externalId === undefined ? [] : [{ externalId, status: 'bounced', ...failure }];
}

/** If a report does not name the mail, the address that it was sent to does (VERP). */
function reportedTo(mail: Mail): string | undefined {
  const id = repliedTo(recipientsOf(mail));
  return id === undefined ? undefined : `<${id}@bounce.invalid>`;
}

/** A report on the delivery or the reading of a mail. */
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

/** Returns the code of a permanent failure; the remote server's own code replaces an unspecific one. */
export function lastingStatus(status: string, diagnostic: string): string | undefined {
  const reported = /\b([245]\.\d{1,3}\.\d{1,3})\b/.exec(status)?.[1];
  const detailed = /(?:^|[\s#(-])(5\.\d{1,3}\.\d{1,3})(?![\d.])/.exec(diagnostic)?.[1];
  if (reported === undefined) {
    return detailed ?? (/^5\d\d\b/.test(diagnostic) ? '5.0.0' : undefined);
  }
  return reported.startsWith('5.0.') ? (detailed ?? reported) : lasting(reported);
}

const lasting = (status: string) => (status.startsWith('5.') ? status : undefined);

/** Servers that send no report name the failed recipient in a header and the reason in the text. */
function unstructuredFailure(mail: Mail): Failure | undefined {
  if (headerOf(mail, 'x-failed-recipients') === undefined) {
    return undefined;
  }
  const [reason] = /(?:^|\s)5\d\d[ #-][^\n]*/.exec(mail.text ?? '') ?? [];
  const status = reason && lastingStatus('', reason.trim());
  return status ? failureOf(status, reason) : undefined;
}

const failureOf = (errorCode: string, said: string): Failure => ({
  errorCode,
  errorMessage: inOneLine(withoutAddresses(said.slice(0, SAID_MAX))).slice(0, TEXT_MAX),
});

/** The Message-IDs of the bounced mail, most reliable source first. */
function originalIds(mail: Mail): string[] {
  const reported = partsOf(mail, STATUS_PARTS)
    .flatMap(groupsIn)
    .map((fields) => fields.get('original-message-id') ?? '');
  const returned = [...partsOf(mail, HEADER_PARTS), mail.text ?? ''].flatMap(
    (text) => /^message-id:\s*(<[^\s<>]+>)/im.exec(text)?.[1] ?? [],
  );
  return [...reported, ...returned, ...messageIdsIn(mail, 'in-reply-to', 'references')];
}

const partsOf = ({ attachments }: Mail, kinds: ReadonlySet<string>): string[] =>
  attachments
    .filter(({ mimeType }) => kinds.has(mimeType))
    .map(({ content }) => textOf(content).slice(0, PART_MAX));

/** Headers come first, and reports on one recipient are short. */
const PART_MAX = 100_000;

const textOf = (content: ArrayBuffer | Uint8Array | string): string =>
  typeof content === 'string' ? content : Buffer.from(content as ArrayBuffer).toString('utf8');

type Fields = Map<string, string>;

/** Groups of fields, separated by empty lines: first the report, then each recipient. */
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
