import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems give to connections and to servers without a port of their own. */
const [FIRST, LAST] = [10_000, 32_000];

/** Returns a local port on which nothing listens, and that no other test gets by chance. */
export async function freePort(): Promise<number> {
  const port = randomInt(FIRST, LAST);
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch {
    return freePort();
  }
  server.close();
  await once(server, 'close');
  return port;
}
