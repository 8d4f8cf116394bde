import type { Row } from './api.ts';

/** The messages of a session, each once, oldest first. */
export interface Transcript {
  readonly rows: readonly Row[];
  /** Adds messages from the server and returns the new ones. */
  take(rows: readonly Row[], from: 'feed' | 'answer'): readonly Row[];
  /** The message after which to fetch more. */
  cursor(): string | undefined;
}

/**
 * The feed has the server's order and is complete. The response to the visitor's own message does not
 * include earlier ones: it stays at the end, without moving the cursor, until the feed has it too.
 */
export function openTranscript(): Transcript {
  const fed = new Map<string, Row>();
  const answered = new Map<string, Row>();
  let rows: readonly Row[] = [];
  return {
    get rows() {
      return rows;
    },
    take(given, from) {
      const fresh = given.filter(({ id }) => !fed.has(id) && !answered.has(id));
      for (const row of given) {
        if (from === 'feed') {
          answered.delete(row.id);
          fed.set(row.id, row);
        } else if (!fed.has(row.id)) {
          answered.set(row.id, row);
        }
      }
      rows = [...fed.values(), ...answered.values()];
      return fresh;
    },
    cursor: () => [...fed.keys()].at(-1),
  };
}
