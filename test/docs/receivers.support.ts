import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../support/free-port.ts';

export const FOLDER = 'docs/receivers';

export interface Language {
  readonly name: string;
  readonly file: string;
  /** Exits 0 if the language is installed. */
  readonly version: readonly string[];
  readonly build?: (scratch: string) => readonly string[];
  readonly run: (port: number, scratch: string) => readonly string[];
}

export const LANGUAGES: readonly Language[] = [
  {
    name: 'node',
    file: 'receiver.ts',
    version: [process.execPath, '--version'],
    run: () => [process.execPath, `${FOLDER}/receiver.ts`],
  },
  {
    name: 'python3',
    file: 'receiver.py',
    version: ['python3', '--version'],
    run: () => ['python3', `${FOLDER}/receiver.py`],
  },
  {
    name: 'php',
    file: 'receiver.php',
    version: ['php', '--version'],
    run: (port) => ['php', '-S', `127.0.0.1:${port}`, `${FOLDER}/receiver.php`],
  },
  {
    name: 'go',
    file: 'receiver.go',
    version: ['go', 'version'],
    // `go run` would start the receiver as a child that outlives it.
    build: (scratch) => ['go', 'build', '-o', join(scratch, 'receiver'), `${FOLDER}/receiver.go`],
    run: (_port, scratch) => [join(scratch, 'receiver')],
  },
];

export const isHere = ({ version: [command = '', ...args] }: Language): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/** A request to a receiver, with its body as text or bytes. */
export interface Delivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A running receiver; the test that starts it stops it. */
export interface Receiver {
  readonly port: number;
  post(delivery: Delivery): Promise<number>;
  said(): string;
  hasEnded(): boolean;
  stop(): Promise<void>;
}

/** Compiles the sample if its language needs that; throws the compiler's output. */
export async function build({ build: commandOf }: Language, scratch: string): Promise<void> {
  if (!commandOf) {
    return;
  }
  const [command = '', ...args] = commandOf(scratch);
  const env = { ...process.env, HOME: scratch, GOCACHE: join(scratch, 'cache'), GOFLAGS: '' };
  const compiler = spawn(command, args, { env });
  const said = listen(compiler);
  const [code] = (await once(compiler, 'close')) as [number | null];
  if (code !== 0) {
    throw new Error(`${command} ended with ${code}: ${said()}`);
  }
}

/** Resolves when the receiver accepts connections or has ended. */
export async function start({ run }: Language, scratch: string, secret: string): Promise<Receiver> {
  const port = await freePort();
  const [command = '', ...args] = run(port, scratch);
  const env = { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret };
  const child = spawn(command, args, { env });
  const said = listen(child);
  const ended = once(child, 'close');
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  while (!hasEnded() && !(await takesConnections(port))) {
    await sleep(20);
  }
  return {
    port,
    said,
    hasEnded,
    async post({ headers, body }) {
      const { status } = await fetch(`http://127.0.0.1:${port}/hook`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body,
      });
      return status;
    },
    async stop() {
      child.kill();
      await ended;
    },
  };
}

/** Reads the output, so that no pipe fills up. */
function listen(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => (text += chunk));
  }
  return () => text;
}

async function takesConnections(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
