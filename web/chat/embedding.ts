/** Where the widget stands and whose it is, from its own `<script>`. */
export interface Embedding {
  /** The address of `/api/chat/`. */
  readonly api: string;
  readonly subAccountId: string;
  /** The site's wish; without one the configuration says it. */
  readonly position: 'left' | 'right' | undefined;
  readonly open: boolean;
}

/** Undefined where the script names no sub-account. */
export function readEmbedding(script: HTMLScriptElement | undefined): Embedding | undefined {
  const { subAccount, position, open } = script?.dataset ?? {};
  if (script === undefined || subAccount === undefined || subAccount === '') {
    return undefined;
  }
  return {
    // The script is /chat/widget.js, under whatever path the service has on its host.
    api: new URL('../api/chat/', script.src).href,
    subAccountId: subAccount,
    position: position === 'left' || position === 'right' ? position : undefined,
    open: open !== undefined && open !== 'false',
  };
}

/** The script that runs. A module has no `currentScript`; it is looked for by its attribute. */
export function ownScript(): HTMLScriptElement | undefined {
  const { currentScript } = document;
  if (currentScript instanceof HTMLScriptElement) {
    return currentScript;
  }
  const candidates = document.querySelectorAll<HTMLScriptElement>('script[data-sub-account][src]');
  return [...candidates].at(-1);
}
