import dns from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { probeMailbox } from '../../../src/conversations/mailbox/open-imap.ts';
import { findMailServer } from '../../../src/conversations/providers/find-mail-server.ts';
import { scriptedImap } from '../mailbox/scripted-imap.support.ts';

const HOST = 'imap.harbour.example';
const ALLOW = ['127.0.0.0/8'];

// A mock of the module would come too late for files that share its modules with others.
const { lookup } = dns;
const replaceLookup = (by: unknown) => {
  dns.lookup = by as typeof lookup;
  syncBuiltinESMExports();
};
beforeAll(() =>
  replaceLookup(() =>
    Promise.resolve(['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }))),
  ),
);
afterAll(() => replaceLookup(lookup));

test('each attempt takes the next address of a mail server', async () => {
  const addressAt = async (attempt: number) => findMailServer(HOST, ALLOW, attempt);
  expect(await addressAt(1)).toEqual({ address: '127.0.0.1' });
  expect(await addressAt(2)).toEqual({ address: '127.0.0.2' });
  expect(await addressAt(3)).toEqual({ address: '127.0.0.1' });
});

test('a mailbox at several addresses is tested at the first one', async () => {
  const port = await scriptedImap(({ tag, name }) =>
    name === 'EXAMINE'
      ? `* 0 EXISTS\r\n* OK [UIDVALIDITY 1] x\r\n${tag} OK done\r\n`
      : `${tag} OK done\r\n`,
  );
  const imap = { host: HOST, port, secure: false, user: 'hello@harbour.example' };
  const secrets = Buffer.from('sealed');
  const channel = { provider: 'smtp', settings: { imap }, secrets, updatedAt: new Date() };
  const view = { subAccountId: crypto.randomUUID(), rows: async () => [channel] };
  const open = () => JSON.stringify({ password: 'swordfish' });
  const options = { secrets: { open }, outboundAllow: ALLOW };
  expect(await probeMailbox(view as never, options as never)).toBeUndefined();
});
