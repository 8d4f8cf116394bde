import { randomBytes } from 'node:crypto';
import { secretsOf } from '#platform/config/secrets.ts';
import { channelPlace, readChannel } from '../../src/conversations/channels/channel.store.ts';
import type { Channel } from '../../src/contacts/channels.ts';
import { apply, exported } from '../support/manifest.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';

const KEY = randomBytes(32);
const variables = { FRONTDESK_SECRET_KEY: KEY.toString('base64') };
const secrets = secretsOf(KEY);

const EMAIL = {
  provider: 'smtp',
  host: 'smtp.example.com',
  user: 'harbour',
  password: 'hunter2',
  from: 'Harbour <hello@harbour.example>',
};
const DM = { provider: 'http', apiBaseUrl: 'https://bridge.example/send', secret: 'swordfish' };

const channel = ({ openView, subAccountId }: TestService, name: Channel) =>
  readChannel(openView(subAccountId, new Date()), secrets, name);

const setUp = (service: TestService, channels: object, more: object = {}) =>
  apply(service, { channels }, { variables, ...more });

describe('the channels of a manifest', () => {
  test('are stored with their defaults, their secrets separately', async ({ service }) => {
    const { created } = await setUp(service, { email: EMAIL, social_dm: DM });
    expect(created).toEqual([
      { section: 'channels', key: 'email' },
      { section: 'channels', key: 'social_dm' },
    ]);
    expect(await channel(service, 'email')).toMatchObject({
      provider: 'smtp',
      settings: { host: 'smtp.example.com', port: 587, secure: false, user: 'harbour' },
      secrets: { password: 'hunter2' },
    });
    expect((await channel(service, 'social_dm'))?.secrets).toEqual({ secret: 'swordfish' });
    expect(await service.eventNames()).toEqual([]);
  });

  test('store each secret encrypted, bound to its place', async ({ service }) => {
    await setUp(service, { email: EMAIL, social_dm: DM });
    const rows = await service.database.rows<any>(
      'select *, settings::text as said from channels where sub_account_id = $1 order by channel',
      [service.subAccountId],
    );
    for (const { id, secrets: sealed, said } of rows) {
      expect(said + String(sealed)).not.toMatch(/hunter2|swordfish/);
      expect(secrets.open(sealed, channelPlace(id))).toMatch(/hunter2|swordfish/);
      expect(() => secrets.open(sealed, channelPlace('elsewhere'))).toThrow();
    }
    expect(rows).toHaveLength(2);
  });

  test('applied again change nothing', async ({ service }) => {
    await setUp(service, { email: EMAIL, social_dm: DM });
    const before = await channel(service, 'email');
    const again = await setUp(service, { email: EMAIL, social_dm: DM });
    expect(again).toMatchObject({ created: [], updated: [], unchanged: 2 });
    expect(await channel(service, 'email')).toEqual(before);
  });

  test('are exported without secrets, and the export changes nothing', async ({ service }) => {
    await setUp(service, { email: EMAIL, social_dm: DM });
    const written = await exported(service);
    const { user, host, from, provider } = EMAIL;
    expect(written.channels).toEqual({
      email: { provider, host, port: 587, secure: false, user, from },
      social_dm: { provider: 'http', apiBaseUrl: DM.apiBaseUrl },
    });
    expect(JSON.stringify(written)).not.toMatch(/hunter2|swordfish/);
    const again = await apply(service, written, { variables });
    expect(again).toMatchObject({ created: [], updated: [] });
    expect((await channel(service, 'email'))?.secrets).toEqual({ password: 'hunter2' });
    expect((await channel(service, 'social_dm'))?.secrets).toEqual({ secret: 'swordfish' });
  });

  test('accept a new secret, and show only its name', async ({ service }) => {
    await setUp(service, { email: EMAIL });
    const { updated } = await setUp(service, { email: { ...EMAIL, password: 'correct horse' } });
    expect(updated).toEqual([
      {
        section: 'channels',
        key: 'email',
        fields: ['password'],
        changes: { password: { from: '***', to: '***' } },
      },
    ]);
    expect((await channel(service, 'email'))?.secrets).toEqual({ password: 'correct horse' });
  });

  test('drop a password when its user changes, and omitted fields', async ({ service }) => {
    await setUp(service, { email: { ...EMAIL, ratePerSecond: 5 } });
    const { provider, host, from } = EMAIL;
    const { updated } = await setUp(service, { email: { provider, host, from, secure: true } });
    expect(new Set(updated[0]?.fields)).toEqual(
      new Set(['port', 'secure', 'user', 'password', 'ratePerSecond']),
    );
    expect(await channel(service, 'email')).toMatchObject({
      settings: { port: 465, secure: true, user: null, ratePerSecond: null },
      secrets: {},
    });
  });

  test('change their provider', async ({ service }) => {
    await setUp(service, { email: EMAIL });
    await setUp(service, { email: DM });
    expect(await channel(service, 'email')).toMatchObject({
      provider: 'http',
      secrets: { secret: 'swordfish' },
    });
  });

  test('are removed by --prune only, and then refuse to send', async ({ service }) => {
    await setUp(service, { email: EMAIL });
    await apply(service, {}, { variables });
    expect(await channel(service, 'email')).toBeDefined();
    const { removed } = await apply(service, {}, { variables, prune: true });
    expect(removed).toEqual([{ section: 'channels', key: 'email' }]);
    expect(await channel(service, 'email')).toBeUndefined();
  });

  test('need the installation key for secrets, and only for them', async ({ service }) => {
    await expect(setUp(service, { email: EMAIL }, { variables: {} })).rejects.toThrow(
      'channels: email has secrets, but FRONTDESK_SECRET_KEY, which encrypts them, is not set',
    );
    expect(await channel(service, 'email')).toBeUndefined();
    const { provider, host, from } = EMAIL;
    await setUp(service, { email: { provider, host, from } }, { variables: {} });
    expect(await channel(service, 'email')).toMatchObject({ provider: 'smtp', secrets: {} });
  });

  test('cannot be read with the key of another installation', async ({ service }) => {
    await setUp(service, { email: EMAIL });
    const other = { FRONTDESK_SECRET_KEY: randomBytes(32).toString('base64') };
    await expect(setUp(service, { email: EMAIL }, { variables: other })).rejects.toThrow();
  });

  test.for([
    [{ email: { ...EMAIL, provider: 'fax' } }, '/channels/email/provider must be one of'],
    [{ fax: DM }, '/channels/fax is not one of sms, email,'],
    [{ sms: EMAIL }, '/channels/sms/provider must be twilio or http here: smtp carries email only'],
    [
      { email: { provider: 'smtp', host: 'a' } },
      '/channels/email must have from: smtp requires it',
    ],
    [
      { email: { ...EMAIL, apiBaseUrl: 'https://a.example' } },
      'apiBaseUrl is not a setting of smtp',
    ],
    [{ email: { ...EMAIL, from: 'Harbour' } }, '/channels/email/from must be an address'],
    [{ email: { ...DM, host: 'a' } }, '/channels/email/host is not a setting of http'],
    [{ social_dm: { ...DM, apiBaseUrl: 'ftp://a' } }, '/channels/social_dm/apiBaseUrl must be'],
    [{ social_dm: { ...DM, apiBaseUrl: 'https://u:p@a.example' } }, 'must not contain a user name'],
    [{ social_dm: { ...DM, secret: '' } }, '/channels/social_dm/secret must'],
    [{ social_dm: { ...DM, secret: undefined } }, 'channels: social_dm needs a secret'],
  ] as const)('%j are refused: %s', async ([channels, message], { service }) => {
    await expect(setUp(service, channels)).rejects.toThrow(message);
  });
});
