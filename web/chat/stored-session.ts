/** What a visitor's browser stores about the chat with one sub-account. */
interface Memory {
  readonly sessionId?: string;
  /** The newest agent message that the visitor has seen. */
  readonly seenId?: string;
}

export interface StoredSession {
  read(): Memory;
  write(memory: Memory): void;
  /** Registers a listener for changes by other tabs. */
  onChange(listener: () => void): void;
}

/** Stored in `localStorage`; if the browser refuses that, in memory until the page is closed. */
export function openStoredSession(subAccountId: string): StoredSession {
  const key = `frontdesk-chat:${subAccountId}`;
  let own: Memory = {};
  return {
    read() {
      try {
        own = parse(localStorage.getItem(key));
      } catch {
        // Blocked: the last value in memory is used.
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

/** Any script of the site can write to its storage: invalid values are ignored. */
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
