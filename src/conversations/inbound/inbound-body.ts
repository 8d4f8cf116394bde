import { stripInvalidText } from '../providers/json-access.ts';

/** Pages of messages contain the HTML; in JSON, quotes and backslashes need two bytes each. */
const HTML_MAX_BYTES = 2_000_000;

/** Control characters except tabs and line breaks. In JSON, each of most needs six bytes. */
const CONTROLS = /[^\P{Cc}\t\n\r]/gu;

/** Returns a body without control characters, except tabs and line breaks, and without lone surrogates. */
export const inboundText = (text: string): string =>
  stripInvalidText(text.replaceAll(CONTROLS, ''));

/** Like `inboundText`; undefined for HTML above 2,000,000 bytes in UTF-8. */
export const inboundHtml = (html = ''): string | undefined =>
  Buffer.byteLength(html) > HTML_MAX_BYTES ? undefined : inboundText(html) || undefined;
