import { locateNative, readyBinaries } from './binaries.ts';
import { createCluster, readPassword, hasCluster, requireUsable } from './cluster.ts';
import { lockCluster, placeCluster } from './place-cluster.ts';
import { adoptServer, removeStalePidFile, endPostgresIn } from './adopt-server.ts';
import {
  launchServer,
  haltServer,
  untilReady,
  type Installation,
  type Server,
  type StartOptions,
} from './server.ts';

export interface EmbeddedPostgres {
  /** A superuser's address of the database `postgres`; other databases are made beside it. */
  readonly url: string;
  /** True where the server ran already, left behind by a process that died. */
  readonly adopted: boolean;
  /** Shuts the server down in any case, adopted or dead already; may be called again. */
  stop(): Promise<void>;
  /** Resolves with the server's last lines when it dies without `stop` having been called. */
  readonly exited: Promise<string>;
}

/**
 * Runs the PostgreSQL that npm brought on a data folder, which is made where it is missing. Hooks no
 * signals: whoever calls this calls `stop`. Throws a Fault where another process owns the folder,
 * where its data is not for this PostgreSQL, or where this machine cannot run one.
 */
export async function startEmbeddedPostgres({
  dataDir,
  settings = {},
  log = () => {},
}: StartOptions): Promise<EmbeddedPostgres> {
  const place = await placeCluster(dataDir, log);
  const unlock = await lockCluster(place.cluster);
  try {
    const binaries = await readyBinaries({ ...locateNative(), ...place, log });
    const installation = { ...place, binaries, settings, log };
    const { server, url, adopted } = await adoptOrLaunch(installation);
    return supervised(installation, server, { url, adopted, unlock });
  } catch (error) {
    await unlock();
    throw error;
  }
}

interface Running {
  readonly server: Server;
  readonly url: string;
  readonly adopted: boolean;
}

async function adoptOrLaunch(installation: Installation): Promise<Running> {
  const { cluster, user, settings, log } = installation;
  if (!(await hasCluster(cluster))) {
    await createCluster(installation, settings['fsync'] !== 'off');
  }
  await requireUsable(installation);
  const password = await readPassword(cluster);
  const orphan = await adoptServer(installation);
  if (orphan) {
    const url = await readyOrHalted(orphan, password);
    if (url) {
      log(`took over the PostgreSQL that runs on ${cluster} (process ${orphan.pid})`);
      return { server: orphan, url, adopted: true };
    }
  }
  await endPostgresIn(cluster, user);
  await removeStalePidFile(cluster, log);
  const server = await launchServer(installation, (launched) => readyOrHalted(launched, password));
  return { ...server, adopted: false };
}

/** The server's address; undefined where it died before it was ready. */
async function readyOrHalted(server: Server, password: string): Promise<string | undefined> {
  try {
    return await untilReady(server, password);
  } catch (error) {
    await haltServer(server);
    throw error;
  }
}

function supervised(
  { cluster, user }: Installation,
  server: Server,
  { url, adopted, unlock }: { url: string; adopted: boolean; unlock: () => Promise<void> },
): EmbeddedPostgres {
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    await haltServer(server);
    // A postmaster that had to be killed leaves its children for a moment.
    await endPostgresIn(cluster, user);
    await unlock();
  };
  return {
    url,
    adopted,
    stop: () => (stopping ??= stop()),
    exited: new Promise((resolve) => {
      void server.gone.then(() => stopping ?? resolve(server.lastLines()));
    }),
  };
}
