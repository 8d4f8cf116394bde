import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { machineMs } from '../machine.ts';

/** Arrivals since the last reset; times use the machine's clock. */
export interface MailCount {
  readonly count: number;
  readonly firstMs: number;
  readonly lastMs: number;
  /** The SMTP port that takes several commands at a time (RFC 2920), as common mail servers do. */
  readonly port: number;
  /** The SMTP port that wants one command at a time. */
  readonly plainPort: number;
}

/**
 * A mail server that accepts everything and only looks for the end of a mail, so that its own work
 * is not measured. GET /count returns the arrivals, DELETE /count resets them.
 */
let count = 0;
let firstMs = 0;
let lastMs = 0;

const END = Buffer.from('\r\n.\r\n');

function talk(socket: Socket, extensions: string): void {
  let isData = false;
  let rest: Buffer = Buffer.alloc(0);
  socket.setNoDelay(true);
  socket.on('error', () => undefined);
  socket.write('220 sink ESMTP\r\n');
  socket.on('data', (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let replies = '';
    for (;;) {
      const mark = isData ? END : '\r\n';
      const at = rest.indexOf(mark);
      if (at < 0) {
        if (replies !== '') {
          socket.write(replies);
        }
        return;
      }
      const line = isData ? '' : rest.toString('latin1', 0, Math.min(at, 4)).toUpperCase();
      rest = rest.subarray(at + mark.length);
      if (isData) {
        lastMs = machineMs();
        firstMs ||= lastMs;
        count += 1;
      }
      isData = line === 'DATA';
      if (line === 'EHLO') {
        replies += extensions;
      } else {
        replies += isData ? '354 go on\r\n' : '250 fine\r\n';
      }
      if (line === 'QUIT') {
        socket.end(replies);
        return;
      }
    }
  });
}

const listenWith = (extensions: string) =>
  createServer((socket) => talk(socket, extensions)).listen(0, '127.0.0.1');
const portOf = (server: Server) => (server.address() as AddressInfo).port;

const mails = listenWith('250-sink\r\n250 PIPELINING\r\n');
const plainMails = listenWith('250 sink\r\n');
const control = createHttpServer(({ method }, response) => {
  if (method === 'DELETE') {
    count = firstMs = lastMs = 0;
  }
  const ports = { port: portOf(mails), plainPort: portOf(plainMails) };
  response.end(JSON.stringify({ count, firstMs, lastMs, ...ports } satisfies MailCount));
});
control.listen(Number(process.argv[2]), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
