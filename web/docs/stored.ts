const PREFIX = 'frontdesk-docs-';

/** Returns a remembered choice. Browsers that keep nothing forget it. */
export function recall(key: string): string | undefined {
  try {
    return localStorage.getItem(PREFIX + key) ?? undefined;
  } catch {
    return undefined;
  }
}

export function remember(key: string, value: string | undefined): void {
  try {
    if (value === undefined) {
      localStorage.removeItem(PREFIX + key);
    } else {
      localStorage.setItem(PREFIX + key, value);
    }
  } catch {
    // The choice lasts as long as the page.
  }
}
