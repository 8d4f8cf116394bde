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
