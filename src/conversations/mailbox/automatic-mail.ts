import { namedMessage, repliedTo } from './message-id.ts';
import { addressesIn, headerOf, messageIdsIn, type Mail } from './read-mail.ts';

/** Headers that may hold the address that a mail was delivered to. */
const TO = ['to', 'cc', 'delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to'];

export const recipientsOf = (mail: Mail): string[] =>
  addressesIn(mail, ...TO).map(({ address }) => address);

/** Returns why a mail is not a message from a person; undefined if it is one. */
export function ignoredBecause(mail: Mail, own: readonly string[]): string | undefined {
  if (isOwn(mail, own)) {
    return 'sent by this channel';
  }
  if (isAutomatic(mail)) {
    return 'automatic mail';
  }
  return isForMany(mail, own) && !isReplyToUs(mail) ? 'newsletter or mailing list' : undefined;
}

function isOwn(mail: Mail, own: readonly string[]): boolean {
  const isOurs = (address: string) => own.includes(address.toLowerCase());
  const id = headerOf(mail, 'message-id') ?? '';
  const domain = id.slice(id.lastIndexOf('@') + 1, -1).toLowerCase();
  return (
    addressesIn(mail, 'from').some(({ address }) => isOurs(address)) ||
    (namedMessage(id) !== undefined && own.some((address) => address.endsWith(`@${domain}`)))
  );
}

/** Headers of automatic mails (RFC 3834 and its predecessors). */
function isAutomatic(mail: Mail): boolean {
  const given = (name: string) => (headerOf(mail, name) ?? '').toLowerCase();
  const [sender = ''] = addressesIn(mail, 'from').map(({ address }) => address.toLowerCase());
  return (
    !/^(?:no\b|$)/.test(given('auto-submitted')) ||
    !/^(?:none)?$/.test(given('x-auto-response-suppress')) ||
    /^(?:auto[_-]?reply|junk)/.test(given('precedence')) ||
    MARKS.some((name) => mail.headers.has(name) && !/^(?:no|false)$/.test(given(name))) ||
    given('return-path') === '<>' ||
    sender.startsWith('mailer-daemon@') ||
    /^multipart\/report\b/.test(given('content-type'))
  );
}

const MARKS = [
  'x-autoreply',
  'x-auto-reply',
  'x-autorespond',
  'x-autoresponder',
  'x-autoreply-from',
  'x-failed-recipients',
];

/** Newsletters and lists. A list at the channel's own address forwards mails from people. */
function isForMany(mail: Mail, own: readonly string[]): boolean {
  const list = ['list-id', 'list-post'].map((name) => headerOf(mail, name) ?? '').join(' ');
  const isOwnList = own.some(
    (address) => list.includes(address) || list.includes(`<${address.replace('@', '.')}>`),
  );
  const isList = LIST_HEADERS.some((name) => mail.headers.has(name));
  const isBulk = /^(?:bulk|list)/i.test(headerOf(mail, 'precedence') ?? '');
  return (isList || isBulk) && !isOwnList;
}

const LIST_HEADERS = ['list-id', 'list-unsubscribe', 'list-post'];

const isReplyToUs = (mail: Mail): boolean =>
  repliedTo(recipientsOf(mail)) !== undefined ||
  messageIdsIn(mail, 'in-reply-to', 'references').some((id) => namedMessage(id) !== undefined);
