import { convert } from 'html-to-text';
import { basename } from 'node:path';
import type { Attachment } from 'postal-mime';
import { inOneLine } from '#platform/mail/mailer.ts';
import { stripInvalidText } from '../providers/json-access.ts';
import type { Mail } from './read-mail.ts';

const TEXT_MAX = 1_000_000;
const HTML_MAX = 10_000_000;
const HTML_READ_MAX = 1_000_000;
const NAME_MAX = 200;
const ATTACHMENTS_MAX = 50;
const KB = 1024;

/** The HTML of a mail; undefined above 10 MB. */
export const htmlOf = ({ html }: Mail): string | undefined =>
  html && html.length <= HTML_MAX ? stripInvalidText(html) : undefined;

/** The text of a mail, else of its HTML, followed by a line for each attachment. */
export function textOf({ text, html, attachments }: Mail): string {
  const body = text?.trim() ? text : fromHtml(html ?? '');
  const attached = attachments.filter((one) => !isShownInside(one)).slice(0, ATTACHMENTS_MAX);
  const plain = body
    .replaceAll('\r\n', '\n')
    .replace(/^(?:[^\S\n]*\n)+/, '')
    .trimEnd();
  const lines = [plain.slice(0, TEXT_MAX), attached.map(attachmentLine).join('\n')];
  return stripInvalidText(lines.filter(Boolean).join('\n\n'));
}

/** Inline images, such as the logo of a signature. */
const isShownInside = ({ related, mimeType }: Attachment): boolean =>
  related === true && mimeType.startsWith('image/');

function attachmentLine({ filename, mimeType, content }: Attachment): string {
  const name = filename ? basename(inOneLine(filename)) : inOneLine(mimeType);
  const bytes = typeof content === 'string' ? content.length : content.byteLength;
  const size =
    bytes < KB * KB ? `${Math.ceil(bytes / KB)} kB` : `${(bytes / KB / KB).toFixed(1)} MB`;
  return `[Attachment: ${name.slice(0, NAME_MAX)}, ${size}]`;
}

/** HTML beyond these limits is left out. */
const LIMITS = { maxInputLength: HTML_READ_MAX, maxDepth: 100, maxChildNodes: 5_000 };
/** The parser's time grows with the square of the depth. */
const OPEN_TAGS_MAX = 1_000;

function fromHtml(html: string): string {
  const read = html.slice(0, HTML_READ_MAX);
  if (hasManyOpenTags(read)) {
    return read.replaceAll(/<[^<>]*>/g, ' ');
  }
  return convert(read, {
    wordwrap: false,
    limits: LIMITS,
    selectors: [
      { selector: 'img', format: 'skip' },
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
    ],
  });
}

/** An estimate: some tags are closed implicitly, and some have no end tag. */
function hasManyOpenTags(html: string): boolean {
  let open = 0;
  for (const [tag] of html.matchAll(/<\/?[a-z]+/gi)) {
    if (!ENDLESS.has(tag.toLowerCase())) {
      open = tag.startsWith('</') ? Math.max(0, open - 1) : open + 1;
    }
    if (open > OPEN_TAGS_MAX) {
      return true;
    }
  }
  return false;
}

const ENDLESS = new Set(['<br', '<img', '<hr', '<meta', '<link', '<input', '<col', '<p', '</p']);
