import { domainToASCII } from 'node:url';
import { encodeWord } from 'nodemailer/lib/mime-funcs';
import { encode, wrap } from 'nodemailer/lib/qp';
import { inOneLine } from '#platform/mail/mailer.ts';

/** The longest encoded word (RFC 2047). */
const WORD_MAX = 75;

/** Below the limit of 998 characters per line, header name included (RFC 5322, 2.1.1). */
const LINE_MAX = 900;

/** Returns a header's text: short ASCII unchanged, other text as encoded words. */
export function headerText(text: string): string {
  const line = inOneLine(text);
  const isPlain = /^[\x20-\x7e]*$/.test(line) && !line.includes('=?');
  return isPlain && line.length <= LINE_MAX
    ? line
    : encodeWord(line, 'B', WORD_MAX).replaceAll('?= =?', '?=\r\n =?');
}

/** Returns a mailbox such as `"Harbour, Dental" <hello@harbour.example>`. */
export function mailboxText({
  name,
  address,
}: {
  readonly name: string;
  readonly address: string;
}): string {
  const shown = inOneLine(name);
  if (shown === '') {
    return wireAddress(address);
  }
  const isPlain = /^[\x20-\x7e]*$/.test(shown);
  const phrase = isPlain ? `"${shown.replaceAll(/["\\]/g, '\\$&')}"` : headerText(shown);
  return `${phrase} <${wireAddress(address)}>`;
}

/** Returns an address with its domain in ASCII, as mail servers require. */
export function wireAddress(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  return address.slice(0, at + 1) + (domainToASCII(domain) || domain);
}

/** One character below the limit of quoted-printable, so that a soft break fits behind every line. */
const QUOTED_LINE_MAX = 75;
const SOFT_BREAK = '=\r\n';

/**
 * Returns text in quoted-printable (RFC 2045, 6.7). Separately encoded pieces can be concatenated: a
 * piece ends with a soft break, which decoding removes.
 */
export function quotedPiece(text: string): string {
  const quoted = wrap(encode(text.replaceAll(/\r\n?|\n/g, '\r\n')), QUOTED_LINE_MAX);
  return quoted === '' || quoted.endsWith('\r\n') ? quoted : quoted + SOFT_BREAK;
}
