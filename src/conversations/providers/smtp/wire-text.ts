/** A mail as it is sent after DATA (RFC 5321, 4.5.2), with the final dot. */
export interface WireText {
  readonly bytes: Buffer;
}

/** The line that ends a mail. */
export const FINAL_DOT = '.\r\n';

/** Returns text with a second dot before each line that begins with one. */
export const withEscapedDots = (text: string): string => text.replaceAll(/^\./gm, '..');

/**
 * Returns the text of a mail for the wire. Every line break becomes CRLF: a server that takes another
 * one for a line break could be made to see the end of the mail in its text. A mail with attachments may
 * have 25 MB, so its text is only rewritten where it must be.
 */
export function wireTextOf(mail: Buffer): WireText {
  const text = mail.toString('latin1');
  const end = text.endsWith('\r\n') ? FINAL_DOT : `\r\n${FINAL_DOT}`;
  if (!NEEDS_ESCAPE.test(text)) {
    return { bytes: Buffer.concat([mail, Buffer.from(end)]) };
  }
  const lines = text.replaceAll(/\r\n?|\n/g, '\r\n');
  const ended = lines.endsWith('\r\n') ? lines : `${lines}\r\n`;
  return { bytes: Buffer.from(withEscapedDots(ended) + FINAL_DOT, 'latin1') };
}

/** A dot at the start of a line, or a line break other than CRLF. */
const NEEDS_ESCAPE = /^\.|\n\.|\r(?!\n)|(?<!\r)\n/;
