import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { newKey, startFrontdesk, type Variables } from '../support/frontdesk.ts';
import { openProxy } from '../support/proxy.ts';
import { newDatabase, newFolder } from './backup.support.ts';
import { bindKey } from '../support/bind-key.ts';

const WAIT = { timeout: 60_000, interval: 50 };
/** Instead of thirty seconds: a heartbeat is due every second. */
const WATCH = { WATCHDOG_USEC: '3000000' };

/** Stands in for systemd: a datagram socket, and its messages. */
async function startListener() {
  const socket = join(await newFolder(), 'notify');
  const listen = ['--datagram', '-l', socket, 'sh', '-c', 'exec cat <&3'];
  const child = spawn('systemd-socket-activate', listen, { stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  let heard = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (heard += text));
  await once(child.stderr, 'data');
  const count = (what: string) => heard.split(what).length - 1;
  return {
    variables: { NOTIFY_SOCKET: socket, ...WATCH },
    heard: () => heard,
    count,
    signs: () => count('WATCHDOG=1'),
    hears: (text: string) => vi.waitFor(() => expect(heard).toContain(text), WAIT),
    /** Waits for further heartbeats. */
    async signsGoOn() {
      const before = count('WATCHDOG=1');
      await vi.waitFor(() => expect(count('WATCHDOG=1')).toBeGreaterThan(before + 1), WAIT);
    },
  };
}

async function newInstallation(): Promise<Variables & { readonly DATABASE_URL: string }> {
  const variables = {
    DATABASE_URL: await newDatabase('migrated'),
    FRONTDESK_SECRET_KEY: newKey(),
    FRONTDESK_LOG_LEVEL: 'silent',
  };
  await bindKey(variables);
  return variables;
}

describe('systemd', () => {
  test('is notified that the server is ready, of its address and heartbeats, and that it stops', async () => {
    const listener = await startListener();
    const variables = { ...(await newInstallation()), ...listener.variables };
    const server = await startFrontdesk(['serve', '--port', '0'], variables);
    await listener.hears('READY=1');
    await listener.hears(`STATUS=serving at ${server.said.url}`);
    await listener.signsGoOn();
    expect(listener.heard()).not.toContain('STOPPING=1');
    await server.end();
    await listener.hears('STOPPING=1');
  });

  test('is notified that a worker takes jobs, or why it is paused', async () => {
    const listener = await startListener();
    const installation = await newInstallation();
    const variables = { ...installation, ...listener.variables };
    const worker = await startFrontdesk(['worker'], variables);
    await listener.hears('STATUS=running up to 10 jobs');
    await listener.signsGoOn();
    await worker.end();
    await startFrontdesk(['worker', '--hold'], variables);
    await listener.hears('STATUS=paused: started with --hold');
    await listener.signsGoOn();
    expect(listener.count('STOPPING=1')).toBe(1);
  });

  test.each(['cut', 'frozen'] as const)(
    'still gets heartbeats of a server whose database is %s, and since when it is unavailable',
    async (how) => {
      const listener = await startListener();
      const installation = await newInstallation();
      const proxy = await openProxy(installation.DATABASE_URL);
      const variables = { ...installation, ...listener.variables, DATABASE_URL: proxy.url };
      const server = await startFrontdesk(['serve', '--port', '0'], variables);
      await listener.signsGoOn();
      await (how === 'cut' ? proxy.cut() : proxy.freeze());
      await listener.hears('STATUS=database unreachable since 20');
      await listener.signsGoOn();
      await (how === 'cut' ? proxy.restore() : proxy.thaw());
      const said = listener.count('STATUS=serving at');
      await vi.waitFor(() => {
        expect(listener.count('STATUS=serving at')).toBeGreaterThan(said);
      }, WAIT);
      await listener.signsGoOn();
      await server.end();
      await proxy.cut();
    },
    90_000,
  );
});

/** A process with the real watchdog over a scripted database and worker. */
async function startWatched(script: string) {
  const listener = await startListener();
  const watchdog = resolve('src/platform/process/systemd.ts');
  const text = `import { startWatchdog } from ${JSON.stringify(watchdog)};
    const here = { pool: { query: async () => ({}) } };
    const watch = (database, isWorking) =>
      startWatchdog({ database, isWorking, status: () => 'here' });
    ${script}`;
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, ['--input-type=module', '-e', text], {
    env: { PATH, ...listener.variables },
    stdio: 'inherit',
  });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  return {
    ...listener,
    /** Waits for this number of checks. */
    looks: (times: number) =>
      vi.waitFor(() => expect(listener.count('STATUS=')).toBeGreaterThanOrEqual(times), WAIT),
  };
}

describe('no heartbeat is sent', () => {
  test('by an event loop that is constantly late', async () => {
    const { looks, signs } = await startWatched(`
      watch(here, () => true);
      const block = () => {
        const end = performance.now() + 1_500;
        while (performance.now() < end) {}
        setTimeout(block, 30);
      };
      setTimeout(block, 30);`);
    await looks(6);
    // The first check comes before anything is late.
    expect(signs()).toBeLessThanOrEqual(1);
  });

  test('if the pool neither answers nor fails', async () => {
    const { looks, signs } = await startWatched(`
      watch({ pool: { query: () => new Promise(() => {}) } }, () => true);`);
    await looks(2);
    expect(signs()).toBe(0);
  });

  test('if jobs are no longer taken, after two waits', async () => {
    const { looks, signs } = await startWatched('watch(here, () => false);');
    await looks(8);
    const signsBefore = signs();
    await looks(11);
    expect(signs()).toBe(signsBefore);
  });
});

test('without systemd, nothing is started', async () => {
  const { startWatchdog } = await import('#platform/process/systemd.ts');
  const query = vi.fn<() => Promise<object>>(async () => ({}));
  const watchdog = startWatchdog({
    database: { pool: { query } } as never,
    status: () => '',
    isWorking: () => true,
  });
  await watchdog.stop();
  expect(query).not.toHaveBeenCalled();
});
