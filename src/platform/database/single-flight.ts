import type { Database } from './database.ts';

/**
 * Runs equal queries of one tick of the event loop once. A query never gets rows that were read before
 * it was asked. Callers share the rows and must not change them.
 */
export function singleFlight(rows: Database['rows']): Database['rows'] {
  // Two levels: texts are long, and there are few of them.
  const waiting = new Map<string, Map<string, Promise<any[]>>>();
  return (text, values = []) => {
    const same = waiting.get(text) ?? new Map<string, Promise<any[]>>();
    waiting.set(text, same);
    const key = JSON.stringify(values);
    const known = same.get(key);
    if (known) {
      return known;
    }
    const running = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      same.delete(key);
      return rows<any>(text, values);
    });
    same.set(key, running);
    return running;
  };
}
