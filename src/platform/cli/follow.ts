import type { Following } from '#core/command.ts';
import { write } from './print.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Prints the lines of a command that goes on, until a signal or a reader that left ends it. */
export async function follow({ follow: run }: Following, asJson: boolean): Promise<void> {
  const told = new AbortController();
  const end = () => told.abort();
  // A second Ctrl-C finds nobody who hears it, and ends the process as usual.
  SIGNALS.forEach((signal) => process.once(signal, end));
  process.stdout.once('error', end);
  await run({
    printed: told.signal,
    say: ({ json, text }) => write(`${asJson ? JSON.stringify(json) : text}\n`),
  });
}
