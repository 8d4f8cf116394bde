import { sleep } from '#lib/abort.ts';
import type { Server } from './server.ts';

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
