import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Command {
  readonly tag: string;
  /** `FETCH`, also where it was `UID FETCH`. */
  readonly name: string;
  readonly line: string;
  /** Breaks the connection off once the answer is out. */
  readonly drop: () => void;
}

/** A server that answers each line as it is told to, whatever IMAP says of that. */
export async function scriptedImap(answer: (command: Command) => string): Promise<number> {
  const server = createServer((socket) => {
    const drop = () => setImmediate(() => socket.destroy());
    socket.on('error', () => undefined).setEncoding('latin1');
    socket.write('* OK [CAPABILITY IMAP4rev1] ready\r\n');
    socket.on('data', (text: string) => {
      for (const line of text.split('\r\n').filter(Boolean)) {
        const [tag = '', verb = '', next = ''] = line.split(' ');
        const name = verb === 'UID' ? next : verb;
        const capability = name === 'CAPABILITY' ? '* CAPABILITY IMAP4rev1\r\n' : '';
        socket.write(capability + answer({ tag, name, line, drop }));
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}
