import { openApi, type Api, type Configuration } from './api.ts';
import { ownScript, readEmbedding } from './embedding.ts';
import { isOnPage } from './host.ts';
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
