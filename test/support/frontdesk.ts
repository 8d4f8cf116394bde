import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { canRunInProcess, runInProcess } from './run-in-process.ts';
import { testFiles } from './files.ts';

export type Variables = Readonly<Record<string, string>>;

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export const newKey = (): string => randomBytes(32).toString('base64');

/** The environment of a shell, without vitest's variables, which change how libraries behave. */
const cleanEnvironment = (variables: Variables): Record<string, string> => {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME, FRONTDESK_FILES_DIR: testFiles().filesDir, ...variables };
};

/** Runs a command without a terminal: in this process where that is possible. */
export const frontdesk = (args: readonly string[], variables: Variables = {}): Promise<Ran> =>
  canRunInProcess(args, variables)
    ? runInProcess(args, cleanEnvironment(variables))
    : spawnFrontdesk(args, variables);

/** Runs the real binary without a terminal until it exits. */
const spawnFrontdesk = (args: readonly string[], variables: Variables = {}): Promise<Ran> =>
  new Promise((resolve) => {
    const env = cleanEnvironment(variables);
    execFile('bin/frontdesk', args, { env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });

export interface Started {
  readonly process: ChildProcess;
  /** The JSON value that it printed when it was ready. */
  readonly said: any;
  readonly stderr: () => string;
  /** Sends the signal and waits for the exit. */
  end(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>;
}

/** Starts the real binary and waits until it is ready. */
export async function startFrontdesk(
  args: readonly string[],
  variables: Variables,
): Promise<Started> {
  const child = spawn('bin/frontdesk', [...args, '--json'], { env: cleanEnvironment(variables) });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals]>;
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  const said = await Promise.race([
    once(child.stdout.setEncoding('utf8'), 'data'),
    exited.then(([code]) => {
      throw new Error(`ended with ${code} before it was up: ${stderr}`);
    }),
  ]);
  return {
    process: child,
    said: JSON.parse(String(said[0])),
    stderr: () => stderr,
    async end(signal = 'SIGTERM') {
      child.kill(signal);
      const [code, by] = await exited;
      return code ?? by;
    },
  };
}
