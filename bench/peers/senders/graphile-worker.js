import { makeWorkerUtils, run } from 'graphile-worker';
import { IN_FLIGHT, sendWebhook, serveQueue } from './send.js';

/** graphile-worker alone: a job per webhook, added in one statement. */
const settings = { connectionString: process.env['DATABASE_URL'], schema: 'peer_graphile' };
const utils = await makeWorkerUtils(settings);
await utils.migrate();
await run({
  ...settings,
  concurrency: IN_FLIGHT,
  preset: { worker: { localQueue: { size: 500 } } },
  noHandleSignals: true,
  taskList: { send: sendWebhook },
});

serveQueue((webhooks) =>
  utils.addJobs(webhooks.map((payload) => ({ identifier: 'send', payload }))),
);
