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
  /** A superuser's URL of the database `postgres`. */
  readonly url: string;
  /** Whether the server was already running, left behind by a dead process. */
  readonly adopted: boolean;
  /** Stops the server, also an adopted one. May be called repeatedly. */
  stop(): Promise<void>;
  /** Resolves with the last log lines if the server exits before `stop` is called. */
  readonly exited: Promise<string>;
}

/**
 * Runs the PostgreSQL of npm on a data folder, which is created if missing. Handles no signals: call
 * `stop`. Throws a Fault if another process owns the folder, if its data is of another version, or if
 * this machine cannot run PostgreSQL.
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
      log(`adopted the running PostgreSQL of ${cluster} (process ${orphan.pid})`);
      return { server: orphan, url, adopted: true };
    }
  }
  await endPostgresIn(cluster, user);
  await removeStalePidFile(cluster, log);
  const server = await launchServer(installation, (launched) => readyOrHalted(launched, password));
  return { ...server, adopted: false };
}

/** Returns the server's URL, or undefined if it died before it was ready. */
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
    // The children of a killed postmaster live on for a moment.
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
