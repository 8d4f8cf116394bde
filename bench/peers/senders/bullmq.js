import { Queue, Worker } from 'bullmq';
import { IN_FLIGHT, sendWebhook, serveQueue } from './send.js';

/** BullMQ on Redis: a job per webhook. Finished jobs are removed. */
const connection = { url: process.env['REDIS_URL'] };
const queue = new Queue('send', { connection, defaultJobOptions: { removeOnComplete: true } });
const worker = new Worker('send', ({ data }) => sendWebhook(data), {
  connection,
  concurrency: IN_FLIGHT,
});
worker.on('error', (error) => process.stderr.write(`${error}\n`));
await queue.waitUntilReady();

serveQueue((webhooks) => queue.addBulk(webhooks.map((data) => ({ name: 'send', data }))));
