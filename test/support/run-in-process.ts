import { PassThrough, Writable } from 'node:stream';
import type { Ran, Variables } from './frontdesk.ts';

/** Commands that stay until a signal, or that change the process itself. */
const OWN_PROCESS = new Set(['serve', 'worker', 'up', 'mcp', 'install', 'webhook']);
/** Node reads these when it starts. */
const OWN_VARIABLES = ['NODE_OPTIONS', 'TZ', 'LANG', 'LC_ALL'];

let isTaken = false;

/**
 * Whether a command can run inside the test's process, which takes a tenth of the time of a start. Of
 * commands that run at the same time, one can: the environment and the standard streams are of the process.
 */
export const canRunInProcess = (args: readonly string[], variables: Variables): boolean =>
  !isTaken &&
  !OWN_PROCESS.has(args.find((word) => !word.startsWith('-')) ?? '') &&
  !OWN_VARIABLES.some((name) => name in variables);

/** Runs a command line with this environment, with its output captured. */
export async function runInProcess(args: readonly string[], env: Variables): Promise<Ran> {
  isTaken = true;
  const { runProgram } = await import('../../src/commands/program.ts');
  const [stdout, stderr] = [capture(), capture()];
  const stdin = new PassThrough();
  const restore = [
    replace('stdout', stdout.stream),
    replace('stderr', stderr.stream),
    replace('stdin', stdin.end()),
    replace('env', { ...env }),
    keepListeners(),
  ];
  try {
    const code = await runProgram(args);
    return { code, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    restore.forEach((undo) => undo());
    isTaken = false;
  }
}

function capture() {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}

function replace(name: 'stdout' | 'stderr' | 'stdin' | 'env', value: unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(process, name) ?? {};
  Object.defineProperty(process, name, { value, configurable: true, writable: true });
  return () => void Object.defineProperty(process, name, before);
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Returns a function that removes the listeners which a command leaves to the end of its process. */
function keepListeners(): () => void {
  const before = SIGNALS.map((signal) => new Set<unknown>(process.listeners(signal)));
  return () =>
    SIGNALS.forEach((signal, n) =>
      process
        .listeners(signal)
        .filter((listener) => !before[n]?.has(listener))
        .forEach((listener) => process.off(signal, listener)),
    );
}
