import { STOP_SIGNALS } from '#lib/stop-signals.ts';
import type { Following, Outcome } from '#core/command.ts';
import { systemError } from '../process/system-error.ts';
import { jsonLine, printable } from './printable.ts';
import { tableOf, type Format } from './table.ts';

const WIDTH_DEFAULT = 80;

/** Prints the result of a command: one JSON value, its own text, or a table of its rows. */
export async function print(outcome: Outcome, asJson: boolean, wide = false): Promise<void> {
  const { json, text, isWritten, limit } = outcome;
  if (isWritten) {
    return;
  }
  const shown = asJson ? jsonLine(json) : (shownHere(text) ?? tableOf(outcome, formatHere(wide)));
  await write(`${shown}\n`);
  if (!asJson && limit !== undefined && Array.isArray(json) && json.length >= limit) {
    process.stderr.write(`These are the first ${limit} rows; there may be more: raise --limit.\n`);
  }
}

/** A pipe gets the text as it is: it may be a manifest. */
const shownHere = <T extends string | undefined>(text: T) =>
  text !== undefined && process.stdout.isTTY ? printable(text) : text;

/** Returns a record as a line for each of its fields. */
export const recordLines = (record: object): string => tableOf({ json: record }, formatHere(false));

/** Writes to standard output and waits until it is flushed; a closed pipe is not a failure. */
const write = (text: string) =>
  new Promise<void>((resolve) => {
    process.stdout.write(text, () => resolve());
  });

function formatHere(wide: boolean): Format {
  const { isTTY, columns } = process.stdout;
  const isFitted = isTTY && !wide;
  return {
    // Some terminals do not report a size.
    width: isFitted ? columns || WIDTH_DEFAULT : undefined,
    now: isFitted ? new Date() : undefined,
    wide,
    bold: wantsColour(process.stdout) ? (text) => `\u001B[1m${text}\u001B[22m` : (text) => text,
  };
}

/** Prints the lines of a continuous command until a signal, or until the reader has closed the pipe. */
export async function follow({ follow: run }: Following, asJson: boolean): Promise<void> {
  const stop = new AbortController();
  const end = () => stop.abort();
  // A second Ctrl-C has no listener and ends the process.
  STOP_SIGNALS.forEach((signal) => process.once(signal, end));
  process.stdout.once('error', end);
  await run({
    printed: stop.signal,
    say: ({ json, text }) => write(`${asJson ? jsonLine(json) : shownHere(text)}\n`),
  });
}

/** Whether prompts are possible: they read from standard input and draw on standard error. */
export const isInteractive = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

/** https://no-color.org: any value but the empty one means no colour. */
export const wantsColour = (stream: NodeJS.WriteStream): boolean =>
  stream.isTTY && !process.env['NO_COLOR'];

/**
 * Ignores closed pipes: a reader such as `head` may end first. Ends the process if standard output cannot
 * be written for another reason, such as a full disk.
 */
export function ignoreClosedPipes(): void {
  process.stdout.on('error', (error) => {
    if (!isClosedPipe(error)) {
      const reason = systemError(error)?.reason ?? error.message;
      process.stderr.write(`frontdesk: standard output cannot be written: ${reason}\n`);
      process.exit(1);
    }
  });
  process.stderr.on('error', (error) => {
    if (!isClosedPipe(error)) {
      throw error;
    }
  });
}

const isClosedPipe = ({ code }: NodeJS.ErrnoException): boolean => code === 'EPIPE';
