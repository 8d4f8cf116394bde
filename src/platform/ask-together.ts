import type { Database } from './database.ts';

/**
 * Asks what many ask within one tick once for all of them. Nobody gets an answer from before his
 * question: what is on its way already is not waited for. The rows are everybody's, to be read only.
 */
export function askTogether(rows: Database['rows']): Database['rows'] {
  const waiting = new Map<string, Promise<any[]>>();
  return (text, values = []) => {
    const question = text + JSON.stringify(values);
    const known = waiting.get(question);
    if (known) {
      return known;
    }
    const asked = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      waiting.delete(question);
      return rows(text, values);
    });
    waiting.set(question, asked as Promise<any[]>);
    return asked as Promise<any[]>;
  };
}
