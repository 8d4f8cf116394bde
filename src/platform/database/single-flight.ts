import type { Database } from './database.ts';

/**
 * Asks what many ask within one tick once for all of them. Nobody gets an answer from before his
 * question: what is on its way already is not waited for. The rows are everybody's, to be read only.
 */
export function singleFlight(rows: Database['rows']): Database['rows'] {
  // By text and then by values: a text is long, and there are few.
  const waiting = new Map<string, Map<string, Promise<any[]>>>();
  return (text, values = []) => {
    const same = waiting.get(text) ?? new Map<string, Promise<any[]>>();
    waiting.set(text, same);
    const question = JSON.stringify(values);
    const known = same.get(question);
    if (known) {
      return known;
    }
    const asked = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      same.delete(question);
      return rows<any>(text, values);
    });
    same.set(question, asked);
    return asked;
  };
}
