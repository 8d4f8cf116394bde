import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ImapFlow } from 'imapflow';
import { freePort } from './free-port.ts';

const DOVECOT = '/usr/sbin/dovecot';
const START_TIMEOUT_MS = 60_000;
const LOOK_MS = 20;
/** Dovecot refuses mail that belongs to root. */
const NOBODY = 65_534;

export const IMAP_USER = 'hello@harbour.example';
export const IMAP_PASSWORD = 'swordfish';

interface Options {
  /** A certificate for `localhost`, with its key, in PEM files: TLS is offered. */
  readonly identity?: Identity;
}

interface Identity {
  readonly cert: string;
  readonly key: string;
}

interface Ports {
  readonly port: number;
  readonly tlsPort: number;
}

/** A real IMAP server, Debian's dovecot, on free loopback ports with one account. */
export interface ImapServer {
  readonly port: number;
  /** Of TLS from the first byte. */
  readonly tlsPort: number;
  /** Delivers a mail to a mailbox, like a mail server. */
  deliver(raw: string, options?: { mailbox?: string; at?: Date }): Promise<void>;
  /** Acts on the account by IMAP. */
  act<T>(on: (client: ImapFlow) => Promise<T>): Promise<T>;
  /** Kills it with every connection. */
  halt(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Throws if dovecot is not installed: `apt-get install dovecot-imapd`. */
export async function startImapServer({ identity }: Options = {}): Promise<ImapServer> {
  if (!existsSync(DOVECOT)) {
    throw new Error(`${DOVECOT} is not installed; apt-get install dovecot-imapd`);
  }
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-imap-'));
  const [port, tlsPort] = [await freePort(), await freePort()];
  const config = await writeConfig(folder, { port, tlsPort, identity });
  let running: ChildProcess | undefined;
  const halt = async () => {
    const halting = running;
    running = undefined;
    if (halting?.pid !== undefined && halting.exitCode === null) {
      const exited = once(halting, 'exit');
      // On SIGTERM it would wait for connections; the process group is the server with its
      // children.
      process.kill(-halting.pid, 'SIGKILL');
      await exited;
    }
  };
  const start = async () => {
    running = spawn(DOVECOT, ['-F', '-c', config], { stdio: 'ignore', detached: true });
    await accepting(port, folder);
  };
  const act = async <T>(on: (client: ImapFlow) => Promise<T>): Promise<T> => {
    const auth = { user: IMAP_USER, pass: IMAP_PASSWORD };
    const client = new ImapFlow({
      host: '127.0.0.1',
      port,
      doSTARTTLS: false,
      auth,
      logger: false,
    });
    await client.connect();
    try {
      return await on(client);
    } finally {
      await client.logout();
    }
  };
  const close = async () => {
    await halt();
    await rm(folder, { recursive: true, force: true });
  };
  await start().catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    port,
    tlsPort,
    act,
    async deliver(raw, { mailbox = 'INBOX', at = new Date() } = {}) {
      await act((client) => client.append(mailbox, raw.replaceAll(/\r?\n/g, '\r\n'), [], at));
    },
    halt,
    start,
    close,
  };
}

/** Runs as the user of the test; as root, mails belong to another user. */
async function writeConfig(
  folder: string,
  { port, tlsPort, identity }: Ports & { readonly identity: Identity | undefined },
): Promise<string> {
  const { username, uid, gid } = userInfo();
  const isRoot = uid === 0;
  const home = join(folder, 'home');
  await chmod(folder, 0o755);
  await mkdir(home);
  if (isRoot) {
    await chown(home, NOBODY, NOBODY);
  }
  await writeFile(join(folder, 'users'), `${IMAP_USER}:{PLAIN}${IMAP_PASSWORD}\n`);
  const owner = isRoot ? `uid=${NOBODY} gid=${NOBODY}` : `uid=${uid} gid=${gid}`;
  const group = execFileSync('id', ['-gn'], { encoding: 'utf8' }).trim();
  const unprivileged = `default_internal_user = ${username}
default_internal_group = ${group}
default_login_user = ${username}`;
  const tls = identity
    ? `ssl = yes\nssl_cert = <${identity.cert}\nssl_key = <${identity.key}`
    : 'ssl = no';
  const config = join(folder, 'dovecot.conf');
  await writeFile(
    config,
    `${isRoot ? '' : unprivileged}
${tls}
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
listen = 127.0.0.1
protocols = imap
disable_plaintext_auth = no
auth_failure_delay = 0
first_valid_uid = 1
mail_location = maildir:~/Maildir
mail_max_userip_connections = 100
passdb {
  driver = passwd-file
  args = ${folder}/users
}
userdb {
  driver = static
  args = ${owner} home=${home}
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = ${identity ? tlsPort : 0}
    ssl = yes
  }
}
service anvil {
  chroot =
  # No delay after a wrong password.
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
`,
  );
  return config;
}

/** Waits until the server accepts connections. */
async function accepting(port: number, folder: string): Promise<void> {
  const end = performance.now() + START_TIMEOUT_MS;
  while (!(await isOpen(port))) {
    if (performance.now() > end) {
      const log = await readFile(join(folder, 'log'), 'utf8').catch(() => 'no log');
      throw new Error(`dovecot does not start: ${log}`);
    }
    await sleep(LOOK_MS);
  }
}

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => (socket.destroy(), resolve(true)));
    socket.once('error', () => resolve(false));
  });
