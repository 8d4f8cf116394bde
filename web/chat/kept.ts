/** What a visitor's browser keeps of his chat with one sub-account. */
interface Memory {
  readonly sessionId?: string;
  /** The newest of the agents' messages that he has had before him. */
  readonly seenId?: string;
}

export interface StoredSession {
  read(): Memory;
  write(memory: Memory): void;
  /** Called when another tab has written. */
  onChange(listener: () => void): void;
}

/** In `localStorage`; where the browser refuses that, in memory until the page goes. */
export function openKept(subAccountId: string): StoredSession {
  const key = `frontdesk-chat:${subAccountId}`;
  let own: Memory = {};
  return {
    read() {
      try {
        own = parse(localStorage.getItem(key));
      } catch {
        // Blocked: what was written last is all there is.
      }
      return own;
    },
    write(memory) {
      own = memory;
      try {
        localStorage.setItem(key, JSON.stringify(memory));
      } catch {
        // Blocked or full.
      }
    },
    onChange: (listener) =>
      window.addEventListener('storage', (event) => {
        if (event.key === key || event.key === null) {
          listener();
        }
      }),
  };
}

/** Anybody may write into the site's storage: what makes no sense counts as nothing. */
function parse(text: string | null): Memory {
  try {
    const { sessionId, seenId } = (JSON.parse(text ?? '{}') ?? {}) as Record<string, unknown>;
    return {
      ...(typeof sessionId === 'string' && { sessionId }),
      ...(typeof seenId === 'string' && { seenId }),
    };
  } catch {
    return {};
  }
}
