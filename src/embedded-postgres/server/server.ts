import { sleep } from '#lib/abort.ts';
import type { Binaries } from '../binaries/ready-binaries.ts';
import type { Place } from '../cluster/server-user.ts';

export interface StartOptions {
  readonly dataDir: string;
  /** PostgreSQL's own settings, which win over ours. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Gets what the server says, and what is done about it, line by line. */
  readonly log?: (line: string) => void;
}

export interface Installation extends Place {
  readonly binaries: Binaries;
  readonly settings: Readonly<Record<string, string>>;
  readonly log: (line: string) => void;
}

/** A postmaster, our child or not. */
export interface Server {
  readonly pid: number;
  readonly port: number;
  /** Resolves when the process has ended. */
  readonly gone: Promise<unknown>;
  isGone(): boolean;
  signal(signal: NodeJS.Signals): void;
  lastLines(): string;
}

/** SIGINT ends sessions and writes everything; SIGQUIT leaves the rest to recovery. */
const STEPS = [
  { signal: 'SIGINT', patienceMs: 20_000 },
  { signal: 'SIGQUIT', patienceMs: 5_000 },
  { signal: 'SIGKILL', patienceMs: 5_000 },
] as const;

/** Ends a server, the gentle way first; does nothing where it is dead. */
export async function haltServer(server: Server): Promise<void> {
  for (const { signal, patienceMs } of STEPS) {
    if (server.isGone()) {
      return;
    }
    server.signal(signal);
    const patience = new AbortController();
    const timeout = sleep(patienceMs, patience.signal);
    await Promise.race([server.gone, timeout]);
    patience.abort();
  }
}
