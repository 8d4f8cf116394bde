import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A mail server that closes the connection after a whole mail, or sends a reply without a meaning. */
export interface BreakingServer {
  readonly port: number;
  isBreaking: boolean;
  /** The number of whole mails that arrived. */
  taken: number;
}

export async function startBreakingServer(reply?: string): Promise<BreakingServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.write('220 breaking\r\n');
    let isData = false;
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (isData) {
        if (text.endsWith('\r\n.\r\n')) {
          isData = false;
          text = '';
          state.taken += 1;
          if (state.isBreaking && reply === undefined) {
            socket.destroy();
          } else {
            socket.write(`${(state.isBreaking && reply) || '250 taken'}\r\n`);
          }
        }
        return;
      }
      for (let end = text.indexOf('\r\n'); end >= 0; end = text.indexOf('\r\n')) {
        const line = text.slice(0, end);
        text = text.slice(end + 2);
        isData = /^DATA/i.test(line);
        socket.write(isData ? '354 go on\r\n' : '250 fine\r\n');
      }
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(async () => {
    sockets.forEach((socket) => socket.destroy());
    server.close();
    await once(server, 'close');
  });
  const state = { port: (server.address() as AddressInfo).port, isBreaking: true, taken: 0 };
  return state;
}
