const PREFIX = 'frontdesk.';

/** A setting of this browser. Reading and writing never throw: storage may be blocked. */
export const stored = (name: string) => ({
  read(): string | undefined {
    try {
      return localStorage.getItem(PREFIX + name) ?? undefined;
    } catch {
      return undefined;
    }
  },
  /** Removes it for undefined. */
  write(value: string | undefined): void {
    try {
      if (value === undefined) {
        localStorage.removeItem(PREFIX + name);
      } else {
        localStorage.setItem(PREFIX + name, value);
      }
    } catch {
      // It is kept for this page only.
    }
  },
});

/** Returns the names of the settings that this browser has. */
export function storedNames(): readonly string[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(PREFIX))
      .map((key) => key.slice(PREFIX.length));
  } catch {
    return [];
  }
}
