// WEBHOOK_SECRET=whsec_… PORT=3000 node receiver.ts     (Node 22.18 or newer)
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';

const TOLERANCE_MS = 5 * 60 * 1000;
const SECRET = process.env['WEBHOOK_SECRET'] ?? '';
if (SECRET === '') {
  throw new Error('WEBHOOK_SECRET is not set');
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    if (!isGenuine(request.headers, body)) {
      response.writeHead(401).end();
      return;
    }
    keep(String(request.headers['x-webhook-event-id']), body);
    response.writeHead(204).end();
  });
});
server.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1');

/** `body` is the bytes as they came: JSON that was parsed and written again has other bytes. */
function isGenuine(headers: IncomingHttpHeaders, body: Buffer): boolean {
  const timestamp = String(headers['x-webhook-timestamp']);
  const given = Buffer.from(String(headers['x-webhook-signature-v2']));
  const hmac = createHmac('sha256', SECRET).update(`${timestamp}.`).update(body);
  const expected = Buffer.from(`sha256=${hmac.digest('hex')}`);
  const isFresh = Math.abs(Date.now() - Number(timestamp)) <= TOLERANCE_MS;
  return given.length === expected.length && timingSafeEqual(given, expected) && isFresh;
}

/** Put it into a queue or table here, once per event id, and do the work later. */
function keep(eventId: string, body: Buffer): void {
  const { event } = JSON.parse(body.toString()) as { event: string };
  process.stdout.write(`${eventId} ${event}\n`);
}
