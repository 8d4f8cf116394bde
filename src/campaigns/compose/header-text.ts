import { domainToASCII } from 'node:url';
import { inOneLine } from '#platform/mail/mailer.ts';

/** Of an encoded word, without its frame of 12 characters (RFC 2047), in bytes before base64. */
const WORD_BYTES = 45;

/** A line of a mail ends at 998 characters, the header's name included (RFC 5322, 2.1.1). */
const LINE_MAX = 900;

/** A header's text: as it is where it is ASCII and not too long, else as encoded words. */
export function headerText(text: string): string {
  const line = inOneLine(text);
  const isPlain = /^[\x20-\x7e]*$/.test(line) && !line.includes('=?');
  return isPlain && line.length <= LINE_MAX ? line : encodedWords(line);
}

/** Words are cut between characters, never within one. */
function encodedWords(line: string): string {
  const words: string[] = [];
  let word = '';
  for (const character of line) {
    if (Buffer.byteLength(word + character) > WORD_BYTES) {
      words.push(word);
      word = '';
    }
    word += character;
  }
  return [...words, word]
    .map((one) => `=?UTF-8?B?${Buffer.from(one).toString('base64')}?=`)
    .join('\r\n ');
}

/** `"Harbour, Dental" <hello@harbour.example>`. */
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

/** An address as mail servers know it: its domain in ASCII. */
export function wireAddress(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  return address.slice(0, at + 1) + (domainToASCII(domain) || domain);
}
