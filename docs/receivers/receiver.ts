// WEBHOOK_SECRET=whsec_… PORT=3000 node receiver.ts     (Node 22.18 or newer)
// During a rotation: WEBHOOK_SECRET=whsec_new,whsec_old
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';

const TOLERANCE_SECONDS = 5 * 60;
const KEYS = (process.env['WEBHOOK_SECRET'] ?? '')
  .split(',')
  .map((secret) => Buffer.from(secret.replace('whsec_', ''), 'base64'));
if (KEYS.some((key) => key.length === 0)) {
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
    try {
      keep(String(request.headers['webhook-id']), body);
      response.writeHead(204).end();
    } catch (error) {
      process.stderr.write(`${String(error)}\n`);
      // The event is delivered again later.
      response.writeHead(500).end();
    }
  });
});
server.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1');

/** `body` is the bytes as they came: JSON that was parsed and written again has other bytes. */
function isGenuine(headers: IncomingHttpHeaders, body: Buffer): boolean {
  const id = String(headers['webhook-id']);
  const timestamp = String(headers['webhook-timestamp']);
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  // `X-Webhook-Event-Id` is not signed: a changed one would make a repeat look new.
  if (!(age <= TOLERANCE_SECONDS) || (headers['x-webhook-event-id'] ?? id) !== id) {
    return false;
  }
  const signatures = String(headers['webhook-signature']).split(' ', 2);
  return KEYS.some((key) => {
    const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body);
    const expected = Buffer.from(`v1,${hmac.digest('base64')}`);
    return signatures.some((one) => {
      const given = Buffer.from(one);
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
  });
}

/** Put it into a queue or table here, once per event id, and do the work later. */
function keep(eventId: string, body: Buffer): void {
  const { event } = JSON.parse(body.toString()) as { event: string };
  process.stdout.write(`${eventId} ${event}\n`);
}
