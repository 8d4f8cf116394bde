import { randomBytes } from 'node:crypto';
import { secretsOf } from '#platform/config/secrets.ts';
import { readChannel } from '../../src/conversations/channels/channel.store.ts';
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
const TWILIO = {
  provider: 'twilio',
  accountSid: 'AC1',
  authToken: 'twilio-token',
  from: '+4930999999',
};
const META = {
  provider: 'meta',
  pageId: '1',
  accessToken: 'page-token',
  appSecret: 'app-secret',
  verifyToken: 'verify-me',
};
const GMAIL = {
  provider: 'gmail',
  user: 'a@x.example',
  clientId: 'client',
  clientSecret: 'client-secret',
  refreshToken: 'refresh-token',
};

const ELSEWHERE = { apiBaseUrl: 'https://evil.example/steal' };

const DM = { provider: 'http', apiBaseUrl: 'https://bridge.example/send', secret: 'swordfish' };

const channel = ({ openView, subAccountId }: TestService, name: Channel) =>
  readChannel(openView(subAccountId, new Date()), secrets, name);

const setUp = (service: TestService, channels: object, more: object = {}) =>
  apply(service, { channels }, { variables, ...more });

describe('the channels of a manifest, by their providers', () => {
  test('store the mailbox separately, with the login of SMTP by default', async ({ service }) => {
    const imap = { host: 'imap.example.com' };
    await setUp(service, { email: { ...EMAIL, imap, replyTo: 'desk@harbour.example' } });
    expect(await channel(service, 'email')).toMatchObject({
      settings: {
        replyTo: 'desk@harbour.example',
        imap: { ...imap, port: 993, secure: true, user: 'harbour', mailbox: 'INBOX' },
      },
      secrets: { password: 'hunter2', imapPassword: 'hunter2' },
    });
    const own = { ...imap, port: 143, user: 'reader', password: 'sesame', mailbox: 'Desk' };
    const { updated } = await setUp(service, { email: { ...EMAIL, imap: own } });
    expect(updated[0]?.fields).toEqual(expect.arrayContaining(['imap', 'replyTo']));
    const again = await setUp(service, { email: { ...EMAIL, imap: own } });
    expect(again).toMatchObject({ updated: [], unchanged: 1 });
    expect(await channel(service, 'email')).toMatchObject({
      settings: { imap: { port: 143, secure: false, user: 'reader', mailbox: 'Desk' } },
      secrets: { password: 'hunter2', imapPassword: 'sesame' },
    });

    const written = await exported(service);
    expect(written.channels.email.imap).toEqual({
      host: 'imap.example.com',
      port: 143,
      secure: false,
      user: 'reader',
      mailbox: 'Desk',
    });
    expect(JSON.stringify(written)).not.toMatch(/hunter2|sesame/);
    expect(await apply(service, written, { variables })).toMatchObject({ updated: [] });
    expect((await channel(service, 'email'))?.secrets).toMatchObject({ imapPassword: 'sesame' });

    const [row] = await service.database.rows<any>(
      'select settings::text as said, secrets from channels where sub_account_id = $1',
      [service.subAccountId],
    );
    expect(row.said + String(row.secrets)).not.toMatch(/hunter2|sesame/);
    await setUp(service, { email: { ...EMAIL, imap: { ...own, password: undefined, user: 'x' } } });
    expect((await channel(service, 'email'))?.secrets).toMatchObject({ imapPassword: 'hunter2' });
  });

  test.for([
    ['sms', TWILIO, ['authToken'], { accountSid: 'AC2' }, ['authToken']],
    ['sms', TWILIO, ['authToken'], ELSEWHERE, ['authToken']],
    ['messenger', META, ['accessToken', 'appSecret', 'verifyToken'], ELSEWHERE, ['accessToken']],
    ['gmail', GMAIL, ['clientSecret', 'refreshToken'], ELSEWHERE, ['clientSecret', 'refreshToken']],
    [
      'gmail',
      GMAIL,
      ['clientSecret', 'refreshToken'],
      { tokenUrl: 'https://evil.example/token' },
      ['clientSecret', 'refreshToken'],
    ],
    ['email', EMAIL, ['password'], { host: 'evil.example' }, ['password']],
    ['email', EMAIL, ['password'], { port: 2525 }, ['password']],
    ['email', { ...EMAIL, secure: true, port: 587 }, ['password'], { secure: false }, ['password']],
    ['email', EMAIL, ['password'], { imap: { host: 'evil.example' } }, ['password']],
    [
      'email',
      { ...EMAIL, imap: { host: 'imap.example.com' } },
      ['password', 'imapPassword'],
      { imap: { host: 'imap.example.com', port: 143 } },
      ['password'],
    ],
    [
      'messenger',
      META,
      ['accessToken', 'appSecret', 'verifyToken'],
      { pageId: '2' },
      ['accessToken'],
    ],
    ['gmail', GMAIL, ['clientSecret', 'refreshToken'], { user: 'b@x.example' }, ['refreshToken']],
  ] as const)(
    'by %s keep secrets that a file leaves out, as long as they are those of the same account and server',
    async ([name, entry, secret, other, needed], { service }) => {
      await setUp(service, { [name]: entry });
      const written = await exported(service);
      const shown = JSON.stringify(written);
      for (const member of secret) {
        expect(shown).not.toContain((entry as Record<string, string>)[member]);
      }
      expect(await apply(service, written, { variables })).toMatchObject({ updated: [] });
      expect(Object.keys((await channel(service, name))?.secrets ?? {}).sort()).toEqual(
        [...secret].sort(),
      );
      const changed = { ...written.channels[name], ...other };
      await expect(setUp(service, { [name]: changed })).rejects.toThrow(
        `channels: ${name} needs ${needed.join(', ')}`,
      );
    },
  );

  test('keep a password while the defaults of its server are written out or left out', async ({
    service,
  }) => {
    const imap = { host: 'imap.example.com' };
    await setUp(service, { email: { ...EMAIL, imap } });
    const { password: _, ...kept } = EMAIL;
    const whole = { ...kept, port: 587, secure: false, imap: { ...imap, port: 993, secure: true } };
    for (const email of [{ ...kept, imap }, whole, kept]) {
      await setUp(service, { email });
      expect((await channel(service, 'email'))?.secrets).toMatchObject({ password: 'hunter2' });
    }
  });

  test('without the installation key keep their secrets, and their servers', async ({
    service,
  }) => {
    await setUp(service, { email: EMAIL, sms: TWILIO });
    const before = await channel(service, 'email');
    const { password: _, ...email } = EMAIL;
    const { authToken: __, ...sms } = TWILIO;
    const without = { variables: {} };
    for (const [name, moved] of [
      ['email', { email: { ...email, host: 'evil.example' } }],
      ['email', { email: { ...email, imap: { host: 'evil.example' } } }],
      ['sms', { sms: { ...sms, ...ELSEWHERE } }],
    ] as const) {
      await expect(setUp(service, moved, without)).rejects.toThrow(
        `channels: ${name} has stored secrets, but FRONTDESK_SECRET_KEY`,
      );
    }
    await setUp(service, { email: { ...email, from: 'a@harbour.example' } }, without);
    expect((await channel(service, 'email'))?.secrets).toEqual(before?.secrets);
  });

  test('that change their provider keep no secret of the old one', async ({ service }) => {
    await setUp(service, { sms: { ...DM, from: 'x' } });
    await setUp(service, { sms: TWILIO });
    expect((await channel(service, 'sms'))?.secrets).toEqual({ authToken: TWILIO.authToken });
  });

  test.for([
    [{ sms: META }, '/channels/sms/provider must be twilio or http here: meta carries messenger'],
    [{ sms: { ...TWILIO, from: 'Harbour' } }, '/channels/sms/from must be a number in E.164'],
    [{ sms: { ...TWILIO, accountSid: 'SK1' } }, '/channels/sms/accountSid must'],
    [{ sms: { ...TWILIO, secret: 'x' } }, '/channels/sms/secret is not a setting of twilio'],
    [{ sms: { ...TWILIO, authToken: undefined } }, 'channels: sms needs authToken'],
    [{ messenger: { ...META, pageId: 'a/b' } }, '/channels/messenger/pageId must'],
    [{ gmail: { ...GMAIL, user: 'me' } }, '/channels/gmail/user must be an email address'],
    [{ gmail: { ...GMAIL, tokenUrl: 'https://u:p@a.example' } }, '/channels/gmail/tokenUrl must'],
    [{ email: { ...EMAIL, imap: {} } }, '/channels/email/imap'],
    [{ email: { ...EMAIL, imap: { host: 'a', ssl: true } } }, '/channels/email/imap'],
    [
      { email: { provider: 'smtp', host: 'a', from: 'a@b.c', imap: { host: 'a' } } },
      '/imap requires user',
    ],
  ] as const)('%j are refused: %s', async ([channels, message], { service }) => {
    await expect(setUp(service, channels)).rejects.toThrow(message);
  });
});
