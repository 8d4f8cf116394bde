/** A setting of this browser. Reading and writing never throw: storage may be blocked. */
export const stored = (name: string) => ({
  read(): string | undefined {
    try {
      return localStorage.getItem(`frontdesk.${name}`) ?? undefined;
    } catch {
      return undefined;
    }
  },
  /** Removes it for undefined. */
  write(value: string | undefined): void {
    try {
      if (value === undefined) {
        localStorage.removeItem(`frontdesk.${name}`);
      } else {
        localStorage.setItem(`frontdesk.${name}`, value);
      }
    } catch {
      // It is kept for this page only.
    }
  },
});
