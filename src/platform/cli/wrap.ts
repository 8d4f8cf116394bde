import { stripVTControlCharacters } from 'node:util';
import { displayWidth } from './display-width.ts';

const INDENT = '  ';

/**
 * Breaks a line between words so that it fits a width, the further lines indented below the first. A
 * longer word stays whole. Without a width, as in a pipe, the line is returned as it is.
 */
export function wrap(line: string, width: number | undefined): string {
  if (width === undefined) {
    return line;
  }
  const text = line.trimStart();
  const indent = line.slice(0, line.length - text.length);
  const lines: string[] = [];
  let current = indent;
  for (const word of text.split(' ')) {
    const isFirst = current.trim() === '';
    const longer = isFirst ? current + word : `${current} ${word}`;
    if (!isFirst && displayWidth(stripVTControlCharacters(longer)) > width) {
      lines.push(current);
      current = indent + INDENT + word;
    } else {
      current = longer;
    }
  }
  return [...lines, current].join('\n');
}

/** The width of the terminal; undefined if the output goes elsewhere. */
export const terminalWidth = (): number | undefined =>
  process.stdout.isTTY ? process.stdout.columns : undefined;
