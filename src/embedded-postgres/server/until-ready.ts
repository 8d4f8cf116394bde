import { sleep } from '#lib/abort.ts';
import { Client } from 'pg';
import { MINUTE_MS } from '#lib/duration.ts';
import { codeOf, messageOf, refuse } from '../refuse.ts';
import type { Server } from './server.ts';

const PATIENCE_MS = MINUTE_MS;
const POLL_MS = 25;
const CONNECT_TIMEOUT_MS = 5_000;
/** A server that finds its port taken is dead by then; who answers there is not ours. */
const DOUBT_MS = 500;

/** Waiting does not help where the password is wrong or the database `postgres` was dropped. */
const FOR_GOOD = /^(?:28...|3D000)$/;

/**
 * Waits until the server answers a query, and gives its address; undefined where it died. Throws a
 * Fault when it takes too long, refuses our password or holds text in another encoding than UTF8.
 */
export async function untilReady(server: Server, password: string): Promise<string | undefined> {
  // PGSSLMODE of the environment would ask for TLS, which the loopback address does without.
  const url = `postgres://postgres:${password}@127.0.0.1:${server.port}/postgres?sslmode=disable`;
  const deadline = Date.now() + PATIENCE_MS;
  let encoding: string | undefined;
  while (encoding === undefined) {
    try {
      // Who has our port and keeps silent would make us wait for a server that died of it.
      encoding = await Promise.race([askEncoding(url), server.gone.then(() => undefined)]);
    } catch (error) {
      const isForGood = FOR_GOOD.test(String(codeOf(error)));
      await Promise.race([server.gone, sleep(isForGood ? DOUBT_MS : POLL_MS)]);
      if (!server.isGone() && (isForGood || Date.now() > deadline)) {
        const said = server.lastLines();
        throw refuse(`cannot be connected to (${messageOf(error)}); it said:\n${said}`);
      }
    }
    if (server.isGone()) {
      return undefined;
    }
  }
  requireUtf8(encoding);
  return url;
}

async function askEncoding(url: string): Promise<string> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: CONNECT_TIMEOUT_MS,
    application_name: 'frontdesk supervisor',
  });
  // Without a listener, a server that dies now would end our process.
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ server_encoding: string }>('show server_encoding');
    return rows[0]?.server_encoding ?? '';
  } finally {
    await client.end().catch(() => {});
  }
}

function requireUtf8(encoding: string): void {
  if (encoding !== 'UTF8') {
    throw refuse(
      `its data is encoded in ${encoding}; Frontdesk takes UTF8 only: name another data folder`,
    );
  }
}
