import { join } from 'node:path';
import { compare } from '../compare.ts';
import type { Ground } from '../ground.ts';
import { requestText } from '../hammer.ts';
import { startServerProcess, type ServerProcess } from '../processes.ts';
import { createRequest, getRequest, NEW_CONTACT, someContactIds } from '../sample.ts';
import type { Finding, Scenario } from '../scenario.ts';
import { PEERS_FOLDER, versionsOf } from './install.ts';

export interface Peer {
  readonly server: ServerProcess;
  readonly get: (id: string) => string;
  /** 50 contacts with the total. */
  readonly list: string;
  readonly create: string;
}

/** Measures reads and writes of a server beside the product. Without limits and events. */
export const crudScenario = (
  name: string,
  packages: Readonly<Record<string, string>>,
  start: (ground: Ground) => Promise<Peer>,
): Scenario => ({
  name,
  async measure(ground) {
    const resources = ground.resources.use(new AsyncDisposableStack());
    try {
      const peer = await start({ ...ground, resources });
      return await findingsOf({ ...ground, bare: peer.server }, peer, await versionsOf(packages));
    } finally {
      await resources.disposeAsync();
    }
  },
});

async function findingsOf(ground: Ground, peer: Peer, versions: string): Promise<Finding[]> {
  const { small, spare } = ground;
  const ids = await someContactIds(ground, small);
  const get = {
    what: `one contact; ${versions}`,
    bare: ids.map(peer.get),
    product: ids.map((id) => getRequest(small, `/api/v1/contacts/${id}`)),
  };
  const list = {
    what: '50 of 100,000 contacts with their total',
    bare: [peer.list],
    product: [getRequest(small, '/api/v1/contacts')],
  };
  const create = { what: 'a new contact', bare: [peer.create], product: [createRequest(spare)] };
  const findings: Finding[] = [];
  for (const sides of [get, list, create]) {
    findings.push(await compare(ground, sides));
  }
  return findings;
}

/** As many as the product has. */
export const CONNECTIONS = '16';

/** A server of `servers/`, which uses the product's table and the paths of the bare server. */
const ownServer =
  (file: string) =>
  async ({ env, scratch, resources, small, spare }: Ground): Promise<Peer> => ({
    server: await startServerProcess({
      command: (port) => [process.execPath, join(PEERS_FOLDER, 'servers', file), String(port)],
      env: { DATABASE_URL: env['DATABASE_URL'] ?? '', CONNECTIONS, NODE_ENV: 'production' },
      logFile: join(scratch, `${file}.log`),
      resources,
    }),
    get: (id) => requestText(`GET /contact/${small.id}/${id}`),
    list: requestText(`GET /contacts/${small.id}`),
    create: requestText(`POST /contacts/${spare.id}`, [], NEW_CONTACT),
  });

export const crudPeers: readonly Scenario[] = [
  crudScenario(
    'express-prisma',
    { express: 'Express', '@prisma/client': 'Prisma' },
    ownServer('express-prisma.js'),
  ),
  crudScenario(
    'fastify-drizzle',
    { fastify: 'Fastify', 'drizzle-orm': 'Drizzle' },
    ownServer('fastify-drizzle.js'),
  ),
];
