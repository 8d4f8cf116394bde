import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { openConnection } from '../../../src/conversations/providers/smtp/connection.ts';
import { newPool, poolOf, serverOf } from '../../../src/conversations/providers/smtp/pool.ts';
import { wireTextOf } from '../../../src/conversations/providers/smtp/wire-text.ts';
import type { ChannelSetup } from '../../../src/conversations/channels/channel.store.ts';
import { startHeldServer } from '../../campaigns/delivery/held-server.support.ts';
import { mailServer } from '../sending.support.ts';

const HOST = '127.0.0.1';
const ENVELOPE = { from: 'hello@harbour.example', to: 'ada@example.com' };
const MAIL = wireTextOf(Buffer.from('Subject: Hello\r\n\r\nHello\r\n'));
const SENT = { result: 'sent' };

const opened: { close(): void }[] = [];
afterEach(() => opened.splice(0).forEach((pool) => pool.close()));

function kept<P extends { close(): void }>(pool: P): P {
  opened.push(pool);
  return pool;
}

const setupOf = (port: number, more: Partial<ChannelSetup> = {}): ChannelSetup => ({
  subAccountId: crypto.randomUUID(),
  id: crypto.randomUUID(),
  provider: 'smtp',
  settings: { host: HOST, port, secure: false, user: null, ratePerSecond: null },
  secrets: {},
  updatedAt: new Date(0),
  ...more,
});

/** A mail server that counts its connections. */
async function countingServer() {
  let connections = 0;
  const server = await mailServer({
    onConnect(_, done) {
      connections += 1;
      done();
    },
  });
  return { ...server, connections: () => connections };
}

describe('the password of a channel', () => {
  const setup = setupOf(587);
  const login = {
    ...setup,
    settings: { ...setup.settings, user: 'ada' },
    secrets: { password: 'x' },
  };

  test.each([
    ['8.8.8.8', login, true],
    ['2606:4700::1111', login, true],
    [HOST, login, false],
    ['10.0.0.1', login, false],
    ['8.8.8.8', setup, undefined],
  ])('needs TLS at %s', (address, of, isRequired) => {
    expect(serverOf(of, address).requireTLS).toBe(isRequired);
  });

  test('is not sent to a server that offers no TLS, where it needs it', async () => {
    const users: (string | undefined)[] = [];
    const server = await mailServer({
      allowInsecureAuth: true,
      onAuth(auth, _, done) {
        users.push(auth.username);
        done(null, { user: auth.username });
      },
    });
    const of = { ...login, settings: { ...login.settings, port: server.port } };
    kept(await openConnection(serverOf(of, HOST)));
    expect(users).toEqual(['ada']);
    const connecting = openConnection({ ...serverOf(of, HOST), requireTLS: true });
    await expect(connecting).rejects.toThrow('STARTTLS');
    expect(users).toEqual(['ada']);
  });
});

describe('a server that says too much', () => {
  /** Greets, then replies to everything with this text. */
  async function talkativeServer(greeting: string, reply: string): Promise<number> {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.write(greeting);
      socket.on('data', () => socket.write(reply));
    });
    server.listen(0, HOST);
    await once(server, 'listening');
    opened.push(server);
    return (server.address() as AddressInfo).port;
  }

  test.each([
    ['blank lines', '\n'.repeat(100_000), ''],
    ['blank lines after the greeting', '220 hello\r\n', '\r\n'.repeat(100_000)],
    ['extensions', '220 hello\r\n', '250-X\r\n'.repeat(20_000)],
  ])('%s', async (_what, greeting, reply) => {
    const port = await talkativeServer(greeting, reply);
    const connecting = openConnection(serverOf(setupOf(port), HOST));
    await expect(connecting).rejects.toThrow('the mail server sent too much');
  });
});

describe('the pool of a channel', () => {
  test('is reused for the next mail, and replaced when the channel changes', async () => {
    const server = await countingServer();
    const setup = setupOf(server.port);
    const pool = kept(poolOf(setup, HOST, 'messages'));
    expect(await pool.send(ENVELOPE, MAIL)).toEqual(SENT);
    expect(poolOf(setup, HOST, 'messages')).toBe(pool);
    expect(await pool.send(ENVELOPE, MAIL)).toEqual(SENT);
    expect(server.connections()).toBe(1);
    const changed = poolOf({ ...setup, updatedAt: new Date(1) }, HOST, 'messages');
    expect(kept(changed)).not.toBe(pool);
  });

  test('stays open when the pool of a preview is closed', async () => {
    const server = await countingServer();
    const setup = setupOf(server.port);
    const shared = kept(poolOf(setup, HOST, 'campaigns'));
    await shared.send(ENVELOPE, MAIL);
    const preview = newPool(setup, HOST, 'campaigns');
    expect(await preview.send(ENVELOPE, MAIL)).toEqual(SENT);
    preview.close();
    expect(await shared.send(ENVELOPE, MAIL)).toEqual(SENT);
    expect(poolOf(setup, HOST, 'campaigns')).toBe(shared);
    expect(server.connections()).toBe(2);
  });
});

describe('a cancelled mail', () => {
  test('that waits for a connection is retried later, and its place goes to the next one', async () => {
    const server = await startHeldServer();
    const pool = kept(newPool(setupOf(server.port), HOST, 'messages'));
    const busy = Array.from({ length: 5 }, () => pool.send(ENVELOPE, MAIL));
    const giveUp = new AbortController();
    const waiting = pool.send(ENVELOPE, MAIL, giveUp.signal);
    const behind = pool.send(ENVELOPE, MAIL);
    giveUp.abort();
    expect(await waiting).toMatchObject({ result: 'again' });
    server.release();
    expect(await Promise.all([...busy, behind])).toEqual(Array.from({ length: 6 }, () => SENT));
    expect(server.begun).toHaveLength(6);
  });

  test('that the server has begun to accept is still awaited', async () => {
    const begun = Promise.withResolvers<void>();
    const giveUp = new AbortController();
    const server = await mailServer({
      onData(stream, _, done) {
        stream.once('data', () => begun.resolve()).resume();
        const takeIt = async () => {
          await Promise.all([once(stream, 'end'), once(giveUp.signal, 'abort')]);
          done();
        };
        void takeIt();
      },
    });
    const pool = kept(newPool(setupOf(server.port), HOST, 'messages'));
    const sending = pool.send(ENVELOPE, MAIL, giveUp.signal);
    await begun.promise;
    giveUp.abort();
    expect(await sending).toEqual(SENT);
  });
});
