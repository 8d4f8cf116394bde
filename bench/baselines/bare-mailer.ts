import { createServer, type IncomingMessage } from 'node:http';
import { createTransport } from 'nodemailer';

/** The product's connections to one mail server. */
const CONNECTIONS = 10;

/** The task, sent by a POST to this process. */
export interface Mailing {
  readonly port: number;
  readonly mails: number;
  readonly html: string;
}

/** nodemailer's pool without a product: no stored recipients, no merging, no links. */
async function send({ port, mails, html }: Mailing): Promise<void> {
  const pool = createTransport({
    pool: true,
    host: '127.0.0.1',
    port,
    maxConnections: CONNECTIONS,
    maxMessages: Infinity,
  });
  await Promise.all(
    Array.from({ length: mails }, (_, n) =>
      pool.sendMail({
        from: 'Harbour <news@harbour.example>',
        to: `guest${n}@example.com`,
        subject: `Hello Guest ${n}`,
        html,
      }),
    ),
  );
  pool.close();
}

async function mailingIn(request: IncomingMessage): Promise<Mailing> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) {
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString()) as Mailing;
}

const server = createServer((request, response) => {
  const done = request.method === 'POST' ? mailingIn(request).then(send) : Promise.resolve();
  done.then(
    () => response.end('{}'),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});
server.listen(Number(process.argv[2]), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
