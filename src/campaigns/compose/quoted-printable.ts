const LINE_MAX = 76;
const SOFT_BREAK = '=\r\n';

/**
 * Text in quoted-printable (RFC 2045, 6.7) such that pieces encoded apart can be put after each
 * other: each ends in a soft break, of which nothing is left when it is decoded.
 */
export function quotedPiece(text: string): string {
  const lines = text.replaceAll(/\r\n?|\n/g, '\n').split('\n');
  const last = lines.length - 1;
  return lines.map((line, at) => quotedLine(line, at < last)).join('');
}

function quotedLine(line: string, isEnded: boolean): string {
  let written = '';
  let room = LINE_MAX - 1;
  const bytes = Buffer.from(line, 'utf8');
  for (let at = 0; at < bytes.length; at += 1) {
    const next = quotedByte(bytes[at] ?? 0, isEnded && at === bytes.length - 1);
    if (next.length > room) {
      written += SOFT_BREAK;
      room = LINE_MAX - 1;
    }
    written += next;
    room -= next.length;
  }
  if (isEnded) {
    return `${written}\r\n`;
  }
  return written === '' ? '' : written + SOFT_BREAK;
}

/** A space at the end of a line would be lost on the way. */
function quotedByte(byte: number, isLast: boolean): string {
  const isSpace = byte === 0x20 || byte === 0x09;
  return (byte >= 0x21 && byte <= 0x7e && byte !== 0x3d) || (isSpace && !isLast)
    ? String.fromCodePoint(byte)
    : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}
