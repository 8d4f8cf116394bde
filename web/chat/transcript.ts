import type { Row } from './row.ts';

/** The messages of one session, each once, oldest first. */
export interface Transcript {
  readonly rows: readonly Row[];
  /** Takes what the server told and says what of it is new. */
  take(rows: readonly Row[], from: 'feed' | 'answer'): readonly Row[];
  /** After which message to ask for more. */
  cursor(): string | undefined;
}

/**
 * The feed's order is the server's and misses nothing. The answer to the visitor's own message says
 * nothing of what came before it: it stands at the end until the feed has it too, and moves no cursor.
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
