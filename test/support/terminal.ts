import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { onTestFinished, vi } from 'vitest';
import type { Variables } from './frontdesk.ts';

const WAIT = { timeout: 60_000, interval: 20 };

export interface Terminal {
  /** The text so far, without control characters. */
  screen(): string;
  /** Waits for this text. */
  shows(text: string): Promise<void>;
  type(keys: string): void;
  readonly exited: Promise<number>;
}

/** Runs the real binary in a pseudo-terminal of `script` (util-linux). */
export function openTerminal(
  args: readonly string[],
  variables: Variables,
  columns = 80,
): Terminal {
  const words = args.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  const command = `stty cols ${columns} rows 40; exec bin/frontdesk ${words}`;
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn('script', ['-qefc', command, '/dev/null'], {
    env: { PATH, HOME, TERM: 'xterm', SHELL: '/bin/sh', ...variables },
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const exited = once(child, 'exit').then(([code]) => Number(code));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  const screen = () => stripVTControlCharacters(text).replaceAll('\r', '');
  return {
    screen,
    async shows(wanted) {
      await vi.waitFor(() => {
        if (!screen().includes(wanted)) {
          throw new Error(`the screen lacks ${wanted}: ${screen()}`);
        }
      }, WAIT);
    },
    type: (keys) => void child.stdin.write(keys),
    exited,
  };
}
