import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { UsageFault } from '#core/fault.ts';
import { exampleOf } from '#core/variable.ts';
import { secretKeyPlace } from '#platform/config/environment-file.ts';
import { baseUrlOf, readEnvironment, VARIABLES } from '#platform/config/environment.ts';
import { unknownVariables } from '#platform/config/unknown-variables.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');

describe('the environment', () => {
  test('has the defaults if nothing is set; an empty value counts as not set', () => {
    const environment = readEnvironment({ FRONTDESK_PORT: '' });
    expect(environment).toMatchObject({
      databaseUrl: undefined,
      secretKey: undefined,
      baseUrl: undefined,
      host: '127.0.0.1',
      port: 8080,
      rateRead: { limit: 600, windowMs: 60_000 },
      rateWrite: { limit: 300, windowMs: 60_000 },
      publicRates: { chat_session: { limit: 10, windowMs: 3_600_000 } },
      rateStore: 'postgres',
      trustedProxies: undefined,
      log: undefined,
      logLevel: 'info',
      pollInterval: 2_000,
    });
  });

  test.each([
    ['DATABASE_URL', 'postgres://frontdesk:pw@db/frontdesk', 'databaseUrl'],
    ['DATABASE_URL', 'postgresql:///frontdesk?host=/run/postgresql', 'databaseUrl'],
    ['FRONTDESK_RATE_STORE', 'redis://cache:6379', 'rateStore'],
    ['FRONTDESK_RATE_STORE', 'memory', 'rateStore'],
    ['FRONTDESK_HOST', '::1', 'host'],
    ['FRONTDESK_LOG', 'json', 'log'],
  ] as const)('%s takes %s', (name, value, key) => {
    expect(readEnvironment({ [name]: value })[key]).toBe(value);
  });

  test('parses values', () => {
    const environment = readEnvironment({
      FRONTDESK_SECRET_KEY: KEY,
      FRONTDESK_BASE_URL: 'https://crm.example.com/api//',
      FRONTDESK_POLL_INTERVAL: '500ms',
      FRONTDESK_TRUSTED_PROXIES: '127.0.0.1/32, fd00::/8',
    });
    expect(environment.secretKey).toEqual(Buffer.alloc(32, 7));
    expect(environment.baseUrl).toBe('https://crm.example.com/api');
    expect(environment.pollInterval).toBe(500);
    expect(environment.trustedProxies).toEqual(['127.0.0.1/32', 'fd00::/8']);
  });

  test.each([
    ['DATABASE_URL', 'mysql://db'],
    ['DATABASE_URL', 'postgres://[db'],
    ['FRONTDESK_SECRET_KEY', 'c2hvcnQ='],
    ['FRONTDESK_BASE_URL', 'crm.example.com'],
    ['FRONTDESK_BASE_URL', 'https://crm.example.com/?a=b'],
    ['FRONTDESK_HOST', 'a host'],
    ['FRONTDESK_PORT', '65536'],
    ['FRONTDESK_PORT', '80a'],
    ['FRONTDESK_RATE_READ', '10/d'],
    ['FRONTDESK_RATE_WRITE', '0/1m'],
    ['FRONTDESK_RATE_PUBLIC', 'chat=1/1m'],
    ['FRONTDESK_RATE_STORE', 'mongo'],
    ['FRONTDESK_TRUSTED_PROXIES', '10.0.0.1'],
    ['FRONTDESK_LOG', 'xml'],
    ['FRONTDESK_LOG_LEVEL', 'loud'],
    ['FRONTDESK_POLL_INTERVAL', '2'],
    ['FRONTDESK_POLL_INTERVAL', '2h'],
  ])('refuses %s=%s with its name, the value and the accepted values', (name, value) => {
    const variable = Object.values(VARIABLES).find((one) => one.name === name);
    const shown =
      name === 'FRONTDESK_SECRET_KEY' ? `of ${value.length} characters` : JSON.stringify(value);
    const read = () => readEnvironment({ [name]: value });
    expect(read).toThrow(UsageFault);
    expect(read).toThrow(`${name}: invalid value ${shown}. Use ${variable?.takes}`);
  });

  test.each([
    ['mysql://u:hunter2@db', '"mysql://***@db"'],
    ['mysql://u:hunter2/@x@db:3306/frontdesk?password=hunter2', '"mysql://***@db:3306/frontdesk"'],
    ['u:hunter2@db', 'of 12 characters'],
    ['mysql://u:hunter2', 'of 17 characters'],
    ['hunter2', 'of 7 characters'],
    ['redis', '"redis"'],
  ])('shows a rejected address without its credentials: %s', (value, shown) => {
    for (const name of ['DATABASE_URL', 'FRONTDESK_RATE_STORE']) {
      expect(() => readEnvironment({ [name]: value })).toThrow(`${name}: invalid value ${shown}.`);
    }
  });

  test('never repeats a rejected secret', () => {
    expect(() =>
      readEnvironment({ DATABASE_URL: 'mysql://u:hunter2@db', FRONTDESK_SECRET_KEY: 'hunter2' }),
    ).toThrow(expect.not.objectContaining({ message: expect.stringContaining('hunter2') }));
  });

  test('names everything that is wrong or missing at once', () => {
    const read = () => readEnvironment({ FRONTDESK_PORT: 'x' }, ['databaseUrl', 'secretKey']);
    expect(read).toThrow(
      /^DATABASE_URL is not set.*\nFRONTDESK_SECRET_KEY is not set.*\nFRONTDESK_PORT: invalid value "x"/,
    );
  });

  test.each([
    [{}, 'http://localhost:8080'],
    [{ FRONTDESK_PORT: '81' }, 'http://localhost:81'],
    [{ FRONTDESK_TLS_CERT: 'cert.pem' }, 'https://localhost:8080'],
    [
      { FRONTDESK_TLS_CERT: 'cert.pem', FRONTDESK_BASE_URL: 'http://desk.example' },
      'http://desk.example',
    ],
  ])('%j has the address %s', (source, address) => {
    expect(baseUrlOf(readEnvironment(source))).toBe(address);
  });

  test('every variable has a name of its own', () => {
    const names = Object.values(VARIABLES).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  // Rewritten by `vitest -u`.
  test('config/frontdesk.example.env documents every variable', async () => {
    await expect(`${HEAD}\n${exampleOf(VARIABLES)}`).toMatchFileSnapshot(
      '../../../config/frontdesk.example.env',
    );
  });
});

const HEAD = `# Every environment variable of Frontdesk. Set FRONTDESK_ENV_FILE to the path of your file; variables
# that are set in the environment take precedence. For a secret in its own file, set NAME_FILE to its path.
`;

describe('unknown variables', () => {
  test('are named, with the most similar variable', () => {
    const source = {
      FRONTDESK_RATE_REED: '1',
      FRONTDESK_DATABASE_URL: '1',
      FRONTDESK_NONSENSE_OF_ANOTHER_KIND: '1',
      DATABASE_URI: '1',
    };
    expect(unknownVariables(source)).toEqual([
      'FRONTDESK_RATE_REED is not a variable of Frontdesk; did you mean FRONTDESK_RATE_READ?',
      'FRONTDESK_DATABASE_URL is not a variable of Frontdesk; did you mean DATABASE_URL?',
      'FRONTDESK_NONSENSE_OF_ANOTHER_KIND is not a variable of Frontdesk',
    ]);
  });

  test('are not those of settings, of files of secrets, of the docs and of Kubernetes', () => {
    const names = [
      ...Object.values(VARIABLES).map(({ name }) => name),
      'FRONTDESK_SECRET_KEY_FILE',
      'FRONTDESK_ENV_FILE',
      'FRONTDESK_URL',
      'FRONTDESK_SERVICE_PORT_HTTP',
      'FRONTDESK_PORT_8080_TCP_ADDR',
    ];
    expect(unknownVariables(Object.fromEntries(names.map((name) => [name, '1'])))).toEqual([]);
  });
});

describe('the place of the secret key', () => {
  test('is a variable, the environment file, or a file that either names; an override is named', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'frontdesk-key-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'frontdesk.env');
    await writeFile(file, 'FRONTDESK_SECRET_KEY="a"\n');
    const naming = join(folder, 'naming.env');
    await writeFile(naming, 'FRONTDESK_SECRET_KEY_FILE=/etc/frontdesk/secret-key\n');
    const overrides = (path: string) =>
      `a variable of the shell, which overrides ${path} (try unset FRONTDESK_SECRET_KEY)`;
    const named = '/etc/frontdesk/secret-key (FRONTDESK_SECRET_KEY_FILE)';
    for (const [environment, place] of [
      [{ FRONTDESK_SECRET_KEY: 'a' }, 'the environment'],
      [{ FRONTDESK_SECRET_KEY: 'a', FRONTDESK_ENV_FILE: file }, 'the environment'],
      [{ FRONTDESK_SECRET_KEY: 'b', FRONTDESK_ENV_FILE: file }, overrides(file)],
      [{ FRONTDESK_SECRET_KEY: 'b', FRONTDESK_ENV_FILE: naming }, overrides(naming)],
      [{ FRONTDESK_ENV_FILE: file }, file],
      [{ FRONTDESK_ENV_FILE: naming }, named],
      [{ FRONTDESK_SECRET_KEY_FILE: '/etc/frontdesk/secret-key' }, named],
      [{}, 'secret-key in the data folder of up'],
    ] as const) {
      expect(secretKeyPlace(environment)).toBe(place);
    }
  });
});
