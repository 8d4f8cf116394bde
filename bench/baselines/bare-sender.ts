import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { Pool, type Dispatcher } from 'undici';
import { uuidv7 } from 'uuidv7';

/** The product's concurrent requests to one receiver. */
const IN_FLIGHT = 24;

/** The task, sent by a POST to this process, which answers with the rate. */
export interface Sending {
  readonly url: string;
  readonly body: string;
  readonly posts: number;
}

/**
 * undici without a product: a loop of posts, each signed twice, with a webhook's headers. No queue,
 * log, deadline or address check. It runs across rounds, like the product's worker.
 */
const key = createSecretKey(randomBytes(46));
const sign = (text: string): string =>
  `sha256=${createHmac('sha256', key).update(text).digest('hex')}`;

async function send({ url, body, posts }: Sending): Promise<number> {
  const { origin, pathname: path } = new URL(url);
  const pool = new Pool(origin, { connections: IN_FLIGHT });
  let left = posts;
  const post = async () => {
    while (left > 0) {
      left -= 1;
      const timestamp = String(Date.now());
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'Bench 0-Webhooks/1.0',
        'x-webhook-event': 'contact.created',
        'x-webhook-event-id': uuidv7(),
        'x-webhook-delivery': uuidv7(),
        'x-webhook-signature': sign(body),
        'x-webhook-signature-v2': sign(`${timestamp}.${body}`),
        'x-webhook-timestamp': timestamp,
      };
      await answered(pool, { path, method: 'POST', headers, body });
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: IN_FLIGHT }, post));
  const elapsed = (performance.now() - startedAt) / 1_000;
  await pool.close();
  return posts / elapsed;
}

/** Uses undici's fastest API, like the product. */
const answered = (pool: Pool, request: Dispatcher.DispatchOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    pool.dispatch(request, {
      onRequestStart: () => undefined,
      onResponseStart: () => undefined,
      onResponseData: () => undefined,
      onResponseEnd: () => resolve(),
      onResponseError: (_, error) => reject(error),
    });
  });

async function bodyOf(request: IncomingMessage): Promise<any> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) {
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString());
}

async function answer(request: IncomingMessage): Promise<object> {
  return request.method === 'POST' ? { perSecond: await send(await bodyOf(request)) } : {};
}

const server = createServer((request, response) => {
  answer(request).then(
    (value) => response.end(JSON.stringify(value)),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});
server.listen(Number(process.argv[2]), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
