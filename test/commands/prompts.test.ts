import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { frontdesk, newKey, type Variables } from '../support/frontdesk.ts';
import { openTerminal } from '../support/terminal.ts';

vi.setConfig({ testTimeout: 120_000 });

let database: TestDatabase;
let variables: Variables;
beforeAll(async () => {
  database = await createDatabase();
  variables = { DATABASE_URL: database.url, FRONTDESK_SECRET_KEY: newKey() };
  await frontdesk(['migrate'], variables);
}, 120_000);
afterAll(() => database.drop());

const admin = async (...args: readonly string[]) => {
  const { code, stdout } = await frontdesk(['admin', ...args, '--json'], variables);
  return { code, json: stdout ? JSON.parse(stdout) : undefined };
};
const COLUMNS = 400;
const terminal = (...args: readonly string[]) =>
  openTerminal(['admin', ...args], variables, COLUMNS);
/** The database as questions name it. */
const place = () => `database ${new URL(database.url).host}${new URL(database.url).pathname}`;
const create = async (name: string): Promise<string> =>
  (await admin('sub-account', 'create', '--name', name)).json.id;

describe('on a terminal', () => {
  test('what is missing is asked for by a noun', async () => {
    const asked = terminal('sub-account', 'create');
    await asked.shows('Name:');
    asked.type('Asked For\r');
    expect(await asked.exited).toBe(0);
    const { json } = await admin('sub-account', 'list');
    expect(json.map(({ name }: { name: string }) => name)).toContain('Asked For');
  });

  test('deleting names the sub-account, and no changes nothing', async () => {
    const id = await create('Harbour Dental');
    const asked = terminal('sub-account', 'delete', id);
    await asked.shows('Delete sub-account Harbour Dental?');
    expect(asked.screen()).toContain(place());
    asked.type('n\r');
    expect(await asked.exited).toBe(1);
    expect(asked.screen()).toContain('nothing was changed');
    expect((await admin('sub-account', 'show', id)).json.deletedAt).toBeNull();
  });

  test('revoking names the key and its prefix', async () => {
    const sub = await create('Keys');
    const args = ['--sub-account', sub, '--name', 'Website', '--scopes', 'all'];
    const { id, prefix } = (await admin('key', 'create', ...args)).json;
    const asked = terminal('key', 'revoke', id);
    await asked.shows(`Revoke API key Website (${prefix}…)?`);
    asked.type('y\r');
    expect(await asked.exited).toBe(0);
    expect((await admin('key', 'show', id)).json.state).toBe('revoked');
  });

  test('without a terminal, the same question is in the message, with exit code 2', async () => {
    const sub = await create('Piped');
    const args = ['--sub-account', sub, '--name', 'Website', '--scopes', 'all'];
    const { id, prefix } = (await admin('key', 'create', ...args)).json;
    const revoke = (key: string) => frontdesk(['admin', 'key', 'revoke', key], variables);
    const named = await revoke(id);
    expect(named).toMatchObject({ code: 2, stdout: '' });
    expect(named.stderr).toContain(
      `("Revoke API key Website (${prefix}…)? Requests with it are refused at once."); without`,
    );
    const unknown = await revoke('sk_live_none');
    expect(unknown).toMatchObject({ code: 2, stdout: '' });
    expect(unknown.stderr).toContain('("Revoke API key sk_live_none?"); without');
    expect((await admin('key', 'show', id)).json.state).toBe('active');
  });

  test('purging needs the name to be typed; anything else erases nothing', async () => {
    const id = await create('Purge Me');
    await admin('sub-account', 'delete', id, '--yes');
    const wrong = terminal('sub-account', 'purge', id);
    await wrong.shows(`To erase all data of sub-account Purge Me of ${place()}, type its name:`);
    wrong.type('yes\r');
    expect(await wrong.exited).toBe(1);
    expect((await admin('sub-account', 'show', id)).code).toBe(0);
    const right = terminal('sub-account', 'purge', id);
    await right.shows('type its name:');
    right.type('Purge Me\r');
    expect(await right.exited).toBe(0);
    expect((await admin('sub-account', 'show', id)).code).toBe(1);
  });

  test('purging a live sub-account is refused before anything is asked', async () => {
    const id = await create('Alive');
    const asked = terminal('sub-account', 'purge', id);
    expect(await asked.exited).toBe(1);
    expect(asked.screen()).toContain('is open: close it first');
    expect(asked.screen()).not.toContain('type its name');
  });
});
