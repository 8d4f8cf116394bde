import { wantsColour } from './output.ts';

export type MarkedStatus = 'ok' | 'warn' | 'fail';

const MARKS = { ok: '✓', warn: '⚠', fail: '✗' } as const;

/** ANSI colours: green, yellow, red. */
const COLOURS = { ok: 32, warn: 33, fail: 31 } as const;

/** Returns the sign of a status, coloured if the stream wants colours. */
export const statusMark = (
  status: MarkedStatus,
  stream: NodeJS.WriteStream = process.stdout,
): string =>
  wantsColour(stream) ? `\u001B[${COLOURS[status]}m${MARKS[status]}\u001B[39m` : MARKS[status];
