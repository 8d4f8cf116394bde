/** A text that was typed, but not saved, and the manifest that it began with. */
interface ManifestDraft {
  readonly source: string;
  readonly base: Readonly<Record<string, unknown>>;
}

/**
 * Keeps the text of the editor in this tab, so that another page or a reload does not lose it; each user
 * and sub-account has its own. Reading and writing never throw: storage may be full or blocked.
 */
export function manifestDraft(userId: string, subAccountId: string) {
  const name = `frontdesk.manifest.${userId}.${subAccountId}`;
  return {
    read(): ManifestDraft | undefined {
      try {
        const text = sessionStorage.getItem(name);
        return text === null ? undefined : (JSON.parse(text) as ManifestDraft);
      } catch {
        return undefined;
      }
    },
    /** Removes it for undefined. */
    write(draft: ManifestDraft | undefined): void {
      try {
        if (draft === undefined) {
          sessionStorage.removeItem(name);
        } else {
          sessionStorage.setItem(name, JSON.stringify(draft));
        }
      } catch {
        // It is kept for this page only.
      }
    },
  };
}
