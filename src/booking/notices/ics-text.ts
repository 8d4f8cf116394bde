/** Returns a whole iCalendar object: every line ends in CRLF, the last one too (RFC 5545, 3.4). */
export const icsText = (calendar: { toString(): string }): string =>
  `${calendar.toString().replace(/(?:\r?\n)*$/, '')}\r\n`;
