/** The widget's server and sub-account, from its own `<script>`. */
export interface Embedding {
  /** The URL of `/api/chat/`. */
  readonly api: string;
  readonly subAccountId: string;
  /** Set by the site; overrides the configuration. */
  readonly position: 'left' | 'right' | undefined;
  readonly open: boolean;
}

/** Returns undefined if the script names no sub-account. */
export function readEmbedding(script: HTMLScriptElement | undefined): Embedding | undefined {
  const { subAccount, position, open } = script?.dataset ?? {};
  if (script === undefined || subAccount === undefined || subAccount === '') {
    return undefined;
  }
  return {
    // The script is /chat/widget.js below the server's base path.
    api: new URL('../api/chat/', script.src).href,
    subAccountId: subAccount,
    position: position === 'left' || position === 'right' ? position : undefined,
    open: open !== undefined && open !== 'false',
  };
}

/** Returns the running script. A module has no `currentScript`, so it is found by its attribute. */
export function ownScript(): HTMLScriptElement | undefined {
  const { currentScript } = document;
  if (currentScript instanceof HTMLScriptElement) {
    return currentScript;
  }
  const candidates = document.querySelectorAll<HTMLScriptElement>('script[data-sub-account][src]');
  return [...candidates].at(-1);
}
