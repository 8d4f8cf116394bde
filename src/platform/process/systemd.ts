import { execFile } from 'node:child_process';

const PROGRAM = 'systemd-notify';
/** It waits until systemd has read what it says, which takes moments; one that hangs is ended. */
const PATIENCE_MS = 5_000;

/** What systemd understands of it: `systemctl status` shows the status to people. */
interface Notice {
  readonly READY?: '1';
  readonly STOPPING?: '1';
  readonly WATCHDOG?: '1';
  readonly STATUS?: string;
}

/** What is to be said once the program that speaks is done. */
let waiting: Notice = {};
let speaking: Promise<void> | undefined;

/**
 * Tells systemd how the service stands, where it is one of Type=notify; its socket is of a kind that
 * Node does not speak, so systemd's own program does. One at a time: notices that come meanwhile
 * travel together in the next. A failure is systemd's to notice.
 */
export function notifySystemd(notice: Notice): void {
  if (process.env['NOTIFY_SOCKET']) {
    waiting = { ...waiting, ...notice };
    speaking ??= speak();
  }
}

async function speak(): Promise<void> {
  for (let words = wordsOf(waiting); words.length > 0; words = wordsOf(waiting)) {
    waiting = {};
    await said(words);
  }
  speaking = undefined;
}

/** A status is one line. */
const wordsOf = (notice: Notice): string[] =>
  Object.entries(notice).map(([name, value]) => `${name}=${value.replaceAll(/\s+/g, ' ')}`);

const said = (words: readonly string[]): Promise<void> =>
  new Promise((resolve) => {
    const options = { timeout: PATIENCE_MS, killSignal: 'SIGKILL' } as const;
    execFile(PROGRAM, [`--pid=${process.pid}`, ...words], options, () => resolve());
  });
