import { openApi, type Api, type Configuration } from './api.ts';
import { isOnPage } from './host.ts';
import { useLanguages } from './texts.ts';
import { openWidget } from './widget.ts';

/** The server may be restarting while the page loads. */
const RETRY_AFTER_MS = [2000, 8000, 30_000];

const embedding = readEmbedding(ownScript());

async function start(): Promise<void> {
  if (embedding === undefined) {
    return;
  }
  const api = openApi(embedding.api, embedding.subAccountId);
  const configuration = await loadConfiguration(api);
  await bodyExists();
  if (configuration?.enabled && !isOnPage()) {
    useLanguages(configuration.languages);
    openWidget(embedding, api, configuration);
  }
}

async function loadConfiguration(api: Api): Promise<Configuration | undefined> {
  for (const wait of RETRY_AFTER_MS) {
    const { data, refusal } = await api.configuration();
    const isFinal = refusal !== undefined && refusal.status >= 400 && refusal.status < 500;
    if (data !== undefined || (isFinal && refusal.status !== 429)) {
      return data;
    }
    await new Promise((resolve) => {
      setTimeout(resolve, Math.max(wait, refusal.waitS * 1000));
    });
  }
  return undefined;
}

function bodyExists(): Promise<void> {
  return new Promise((resolve) => {
    if (document.body !== null) {
      return resolve();
    }
    document.addEventListener('DOMContentLoaded', () => resolve());
  });
}

void start();

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
