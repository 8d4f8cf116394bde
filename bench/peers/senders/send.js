import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { Agent, request } from 'undici';
import { uuidv7 } from 'uuidv7';

/** As many requests to one receiver at a time as the product makes. */
export const IN_FLIGHT = 24;
const dispatcher = new Agent({ connections: IN_FLIGHT });

const key = createSecretKey(randomBytes(46));
const sign = (text) => `sha256=${createHmac('sha256', key).update(text).digest('hex')}`;

/** Sends one webhook, signed twice. A job throws where it was not accepted, so that it is retried. */
export async function sendWebhook({ url, body }) {
  const timestamp = String(Date.now());
  const { statusCode, body: answer } = await request(url, {
    dispatcher,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Bench 0-Webhooks/1.0',
      'x-webhook-event': 'contact.created',
      'x-webhook-event-id': uuidv7(),
      'x-webhook-delivery': uuidv7(),
      'x-webhook-signature': sign(body),
      'x-webhook-signature-v2': sign(`${timestamp}.${body}`),
      'x-webhook-timestamp': timestamp,
    },
    body,
  });
  await answer.dump();
  if (statusCode >= 300) {
    throw new Error(`HTTP ${statusCode}`);
  }
}

/** Serves `POST / {url, body, posts}`, which queues that many jobs. */
export function serveQueue(enqueue) {
  const answer = async (incoming) => {
    const chunks = await incoming.toArray();
    if (incoming.method === 'POST') {
      const { url, body, posts } = JSON.parse(Buffer.concat(chunks).toString());
      await enqueue(Array.from({ length: posts }, () => ({ url, body })));
    }
  };
  const server = createServer((incoming, response) => {
    answer(incoming).then(
      () => response.end('{}'),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  server.listen(Number(process.argv[2]), '127.0.0.1');
  process.once('SIGTERM', () => process.exit(0));
}
