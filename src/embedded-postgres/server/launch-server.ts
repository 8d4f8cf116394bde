import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { sleep } from '#lib/abort.ts';
import { freePort } from './free-port.ts';
import { refuse } from '../refuse.ts';
import { spawnOptions } from '#platform/process/run.ts';
import type { Installation, Server } from './server.ts';
import { serverArguments } from './server-arguments.ts';

const KEPT_LINES = 50;
const PORTS_TO_TRY = 5;
const PORT_TAKEN = /could not bind|could not create any TCP\/IP sockets/;
/** The last words of a dead server, while children of its still hold the pipe. */
const LAST_WORDS_MS = 300;

/**
 * Starts a postmaster on a free port, and on another one where that was taken meanwhile. `ready`
 * answers its address, or undefined where it died.
 */
export async function launchServer(
  installation: Installation,
  ready: (server: Server) => Promise<string | undefined>,
): Promise<{ server: Server; url: string }> {
  await removeOldSockets(installation.cluster);
  for (let attempt = 1; ; attempt += 1) {
    const server = spawnServer(installation, await freePort());
    const url = await ready(server);
    if (url) {
      return { server, url };
    }
    const said = server.lastLines();
    if (!PORT_TAKEN.test(said) || attempt === PORTS_TO_TRY) {
      throw refuse(`ended while starting; it said:\n${said}`);
    }
  }
}

/** Every start has another port, so a killed server's sockets would stay for ever. */
async function removeOldSockets(cluster: string): Promise<void> {
  for (const name of await readdir(cluster)) {
    if (name.startsWith('.s.PGSQL.')) {
      await rm(join(cluster, name), { force: true });
    }
  }
}

function spawnServer(installation: Installation, port: number): Server {
  const { binaries, user, log } = installation;
  const child = spawn(binaries.postgres, serverArguments(installation, port), {
    ...spawnOptions({ user, env: binaries.env }),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const lines: string[] = [];
  const keep = (line: string) => {
    lines.push(line);
    lines.splice(0, lines.length - KEPT_LINES);
    log(line);
  };
  createInterface({ input: child.stderr }).on('line', keep);
  const closed = once(child, 'close').catch(() => {});
  let isGone = false;
  const gone = new Promise<void>((resolve) => {
    const end = () => {
      isGone = true;
      resolve();
    };
    child.on('error', (error) => {
      keep(error.message);
      end();
    });
    child.on('exit', () => void Promise.race([closed, sleep(LAST_WORDS_MS)]).then(end));
  });
  return {
    pid: child.pid ?? 0,
    port,
    gone,
    isGone: () => isGone,
    signal: (signal) => void child.kill(signal),
    lastLines: () => lines.join('\n'),
  };
}
