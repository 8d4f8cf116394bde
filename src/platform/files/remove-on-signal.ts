import { rmSync } from 'node:fs';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Removes an incomplete file or a temporary folder when a signal ends the command, until it is stopped. */
export function removeOnSignal(path: string): () => void {
  const stop = () => SIGNALS.forEach((signal) => process.off(signal, onSignal));
  const onSignal = (signal: NodeJS.Signals) => {
    stop();
    rmSync(path, { recursive: true, force: true });
    process.kill(process.pid, signal);
  };
  SIGNALS.forEach((signal) => process.on(signal, onSignal));
  return stop;
}
