/* oxlint-disable unicorn/no-thenable -- a branch of a step is called so (contract 8) */
import { newSecretKey } from '#platform/config/secrets.ts';
import { apply, exported, run } from '../support/manifest.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';

const KEY = newSecretKey();
const VALUES = {
  FRONTDESK_SECRET_KEY: KEY,
  SMTP_USER: 'hello@harbour.example',
  SMTP_PASSWORD: 'smtp-hunter2',
  IMAP_PASSWORD: 'imap-hunter2',
  DAV_PASSWORD: 'dav-hunter2',
  INVOICES_SECRET: 'invoices-hunter2-hunter2',
  TOKEN: 'token-hunter2',
};

const MANIFEST = {
  team: [
    {
      key: 'anna',
      name: 'Anna',
      externalCalendar: {
        type: 'caldav',
        url: 'https://dav.example/',
        user: 'anna',
        password: '${env:DAV_PASSWORD}',
      },
    },
  ],
  channels: {
    email: {
      provider: 'smtp',
      host: 'smtp.example.com',
      user: '${env:SMTP_USER}',
      password: '${env:SMTP_PASSWORD}',
      from: 'Harbour <hello@harbour.example>',
      imap: { host: 'imap.example.com', password: '${env:IMAP_PASSWORD}' },
    },
  },
  invoices: { secret: '${env:INVOICES_SECRET}' },
  workflows: [
    {
      slug: 'flow',
      name: 'Flow',
      triggers: [{ on: 'inbound_webhook' }],
      steps: [
        { addTag: 'a' },
        {
          if: { field: 'email', exists: true },
          then: [
            {
              http: {
                url: 'https://example.com/x',
                headers: { Authorization: 'Bearer ${env:TOKEN}', 'X-Static': 'static-hunter2' },
              },
            },
          ],
        },
      ],
    },
  ],
};

const CLEAN = { created: [], updated: [], removed: [], skipped: [] };
const set = (service: TestService, manifest: object, over: object = {}) =>
  run(service, manifest, { variables: { ...VALUES, ...over } });
const diff = (service: TestService, manifest: object, over: object = {}) =>
  apply(service, manifest, { variables: { ...VALUES, ...over }, dryRun: true });

const references = (service: TestService) =>
  service.database.rows<{ at: string; reference: string }>(
    `select section || '/' || entry || path as at, reference from manifest_references
     where sub_account_id = $1 order by 1`,
    [service.subAccountId],
  );

describe('references to the environment', () => {
  test('are exported as they were written, without any value', async ({ service }) => {
    await set(service, MANIFEST);
    const written = await exported(service);
    expect(written.team[0].externalCalendar.password).toBe('${env:DAV_PASSWORD}');
    expect(written.channels.email).toMatchObject({
      user: '${env:SMTP_USER}',
      password: '${env:SMTP_PASSWORD}',
      imap: { password: '${env:IMAP_PASSWORD}' },
    });
    expect(written.invoices).toEqual({ secret: '${env:INVOICES_SECRET}' });
    expect(written.workflows[0].steps[1].then[0].http).toEqual({
      url: 'https://example.com/x',
      headers: { Authorization: 'Bearer ${env:TOKEN}' },
    });
    expect(JSON.stringify(written)).not.toContain('hunter2');
  });

  test('survive an export and an apply, beside literal headers', async ({ service }) => {
    await set(service, MANIFEST);
    const stored = await references(service);
    const written = await exported(service);
    expect(await diff(service, written)).toMatchObject(CLEAN);
    const { outcome } = await set(service, written);
    expect(outcome).toMatchObject(CLEAN);
    expect(await references(service)).toEqual(stored);
    expect(stored).toHaveLength(6);
  });

  test('of an unchanged file do not change', async ({ service }) => {
    await set(service, MANIFEST);
    expect(await diff(service, MANIFEST)).toMatchObject(CLEAN);
  });

  test('are a change without values when the variable has a new value', async ({ service }) => {
    await set(service, MANIFEST);
    const { updated } = await diff(service, MANIFEST, {
      SMTP_PASSWORD: 'other-hunter2',
      TOKEN: 'other-hunter2',
      DAV_PASSWORD: 'other-hunter2',
      INVOICES_SECRET: 'other-hunter2-hunter2',
    });
    expect(updated.map(({ section, fields }) => [section, fields])).toEqual([
      ['team', ['externalCalendar']],
      ['channels', ['password']],
      ['invoices', ['secret']],
      ['workflows', ['steps']],
    ]);
    expect(JSON.stringify(updated)).not.toContain('hunter2');
    const same = { from: '${env:SMTP_PASSWORD}', to: '${env:SMTP_PASSWORD}' };
    expect(updated[1]?.changes).toEqual({ password: same });
  });

  test('are a change when they name another variable with the same value', async ({ service }) => {
    await set(service, MANIFEST);
    const manifest = { invoices: { secret: '${env:BILLING}' } };
    const { outcome } = await set(service, manifest, { BILLING: VALUES.INVOICES_SECRET });
    expect(outcome.updated).toEqual([
      {
        section: 'invoices',
        key: 'invoices',
        fields: ['secret'],
        changes: { secret: { from: '${env:INVOICES_SECRET}', to: '${env:BILLING}' } },
      },
    ]);
    expect((await exported(service)).invoices).toEqual({ secret: '${env:BILLING}' });
  });

  test('stay with an omitted secret, and are removed with a replaced one', async ({ service }) => {
    await set(service, MANIFEST);
    const { imap: _, password: _left, ...email } = MANIFEST.channels.email;
    await set(service, { channels: { email }, invoices: { secret: 'a literal secret' } });
    expect((await references(service)).map(({ at }) => at)).toEqual([
      'channels/email/password',
      'channels/email/user',
      'team/anna/externalCalendar/password',
      'workflows/flow/steps/1/then/0/http/headers/Authorization',
    ]);
    const written = await exported(service);
    expect(written.channels.email.password).toBe('${env:SMTP_PASSWORD}');
    expect(written.invoices).toEqual({});
  });

  test('are removed with their entry', async ({ service }) => {
    await set(service, MANIFEST);
    await apply(service, {}, { prune: true, variables: VALUES });
    expect(await references(service)).toEqual([]);
  });

  test('are not stored by a dry run or a refused apply', async ({ service }) => {
    await diff(service, MANIFEST);
    const refused = { ...MANIFEST, team: [...MANIFEST.team, { key: 'ben' }] };
    await expect(set(service, refused)).rejects.toThrow('/team/1/name is required');
    expect(await references(service)).toEqual([]);
  });
});

describe('headers of a call', () => {
  const flow = (http: object) => ({
    workflows: [{ slug: 'flow', name: 'Flow', triggers: [], steps: [{ http }] }],
  });
  const url = 'https://example.com/x';
  const namesOf = async (service: TestService, http: object) => {
    const { updated } = await diff(service, flow(http));
    const steps = updated[0]?.changes['steps']?.to as { http: { headers?: object } }[] | undefined;
    return steps && Object.keys(steps[0]?.http.headers ?? {});
  };

  test('that a file omits stay, and null removes one', async ({ service }) => {
    await set(service, flow({ url, headers: { A: '1', B: '2' } }));
    expect(await namesOf(service, { url })).toBeUndefined();
    expect(await namesOf(service, { url, headers: { a: '1' } })).toEqual(['a', 'B']);
    expect(await namesOf(service, { url, headers: { A: null } })).toEqual(['B']);
  });

  test('are removed when their address or method changes', async ({ service }) => {
    await set(service, flow({ url, headers: { A: '1' } }));
    expect(await namesOf(service, { url: 'https://other.example' })).toEqual([]);
    expect(await namesOf(service, { url, method: 'PUT' })).toEqual([]);
  });
});

test('a calendar that moves without the installation key does not take its password along', async ({
  service,
}) => {
  const anna = (url: string, more: object = {}) => ({
    team: [
      { key: 'anna', name: 'A', externalCalendar: { type: 'caldav', url, user: 'a', ...more } },
    ],
  });
  const has = async () => {
    const [row] = await service.database.rows<{ has: boolean }>(
      `select external_password is not null as has from team_members where sub_account_id = $1`,
      [service.subAccountId],
    );
    return row?.has;
  };
  await apply(service, anna('https://a.example/', { password: 'x' }), { variables: VALUES });
  await apply(service, anna('https://a.example/'), { variables: {} });
  expect(await has()).toBe(true);
  await apply(service, anna('https://evil.example/'), { variables: {} });
  expect(await has()).toBe(false);
});
