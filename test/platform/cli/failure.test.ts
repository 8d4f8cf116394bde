import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { environmentFileOf, environmentText } from '#platform/config/environment-file.ts';
import { failureOf, printFailure } from '#platform/cli/failure.ts';

/** A data folder of `up`, named by the environment. */
async function dataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-failure-'));
  const file = environmentFileOf(folder);
  await writeFile(file, environmentText({ FRONTDESK_PORT: '4830' }));
  vi.stubEnv('FRONTDESK_ENV_FILE', file);
  vi.stubEnv('DATABASE_URL', undefined);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true, force: true });
  });
  return folder;
}

const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), {
  code: 'ECONNREFUSED',
});

test('a refused connection to the database of up says that nothing is running', async () => {
  const folder = await dataFolder();
  const { message, exitCode } = await failureOf(refused);
  expect([message, exitCode]).toEqual([
    expect.stringContaining(`nothing is running on ${folder}`),
    1,
  ]);
});

test.for([
  'timeout exceeded when trying to connect',
  'Connection terminated due to connection timeout',
])('a connection that timed out is named: %s', async (reason) => {
  await dataFolder();
  const { message } = await failureOf(new Error(reason));
  expect(message).toContain(`did not accept a connection in time: ${reason}`);
  expect(message).not.toContain('nothing is running');
});

test.for([
  [
    'a.yaml:1:1: /a is wrong\na.yaml:2:1: /b is wrong',
    'frontdesk: a.yaml:1:1: /a is wrong\nfrontdesk: a.yaml:2:1: /b is wrong\n',
  ],
  [
    'invalid body: a is wrong and 1 more issue',
    'frontdesk: invalid body: a is wrong and 1 more issue\n  a is wrong\n  b is wrong\n',
  ],
] as const)('issues are listed once: %s', ([message, printed]) => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  const issues = ['a', 'b'].map((name) => ({
    in: 'body' as const,
    path: `/${name}`,
    message: 'is wrong',
  }));
  printFailure({ message, issues, exitCode: 1 }, false);
  expect(write).toHaveBeenCalledExactlyOnceWith(printed);
});

test.for([
  ['3D000', 'database "nodb" does not exist', 'create the database, or correct DATABASE_URL'],
  ['28P01', 'password authentication failed', 'correct the user or password in DATABASE_URL'],
  ['28000', 'role "guest" does not exist', 'correct the user in DATABASE_URL, or create it'],
  ['53300', 'sorry, too many clients already', 'raise max_connections, or end other programs'],
])('a refusal of PostgreSQL has advice that fits: %s', async ([code, reason, advice]) => {
  const { message } = await failureOf(Object.assign(new Error(reason), { code }));
  expect(message).toContain(`cannot be used: ${reason}; ${advice}`);
});

test('a statement that waited too long for a lock is no reason to change DATABASE_URL', async () => {
  const reason = 'canceling statement due to statement timeout';
  const { message } = await failureOf(Object.assign(new Error(reason), { code: '57014' }));
  expect(message).toBe(
    `the database took too long: ${reason}; frontdesk doctor names the program whose lock others wait for`,
  );
});
