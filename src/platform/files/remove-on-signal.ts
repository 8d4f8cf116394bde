import { STOP_SIGNALS } from '#lib/stop-signals.ts';
import { rmSync } from 'node:fs';

/** Removes an incomplete file or a temporary folder when a signal ends the command, until it is stopped. */
export function removeOnSignal(path: string): () => void {
  const stop = () => STOP_SIGNALS.forEach((signal) => process.off(signal, onSignal));
  const onSignal = (signal: NodeJS.Signals) => {
    stop();
    rmSync(path, { recursive: true, force: true });
    process.kill(process.pid, signal);
  };
  STOP_SIGNALS.forEach((signal) => process.on(signal, onSignal));
  return stop;
}
