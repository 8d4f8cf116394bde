import { PgBoss } from 'pg-boss';
import { IN_FLIGHT, sendWebhook, serveQueue } from './send.js';

/** pg-boss: a job per webhook; a worker takes 500 and sends them in parallel. */
const BATCH = 500;
const boss = new PgBoss({ connectionString: process.env['DATABASE_URL'], schema: 'peer_boss' });
boss.on('error', (error) => process.stderr.write(`${error}\n`));
await boss.start();
await boss.createQueue('send');
await boss.work('send', { batchSize: BATCH, pollingIntervalSeconds: 0.5 }, async (jobs) => {
  const waiting = [...jobs];
  const send = async () => {
    for (let job = waiting.pop(); job; job = waiting.pop()) {
      await sendWebhook(job.data);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, send));
});

serveQueue((webhooks) =>
  boss.insert(
    'send',
    webhooks.map((data) => ({ data })),
  ),
);
