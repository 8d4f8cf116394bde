import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Command {
  readonly tag: string;
  /** The command name; `FETCH` for `UID FETCH`, too. */
  readonly name: string;
  readonly line: string;
  /** Disconnects after the response. */
  readonly drop: () => void;
}

/** A server that sends scripted responses, whether they are valid IMAP or not. */
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
