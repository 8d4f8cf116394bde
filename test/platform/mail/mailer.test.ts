import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { FROM, MAIL, open, start } from '../../support/mailer.ts';

describe('a mail', () => {
  test('arrives with its sender, recipients, subject and text, marked as automatic', async () => {
    const server = await start();

    expect(await open(server.url).send(MAIL)).toBe('sent');

    const [mail] = await server.next(1);
    expect(mail).toMatchObject({ from: 'desk@example.com', to: MAIL.to, text: MAIL.text });
    expect(mail?.headers).toMatchObject({
      from: FROM,
      to: 'ada@example.com',
      subject: 'Look here',
      'auto-submitted': 'auto-generated',
    });
  });

  test('to several is one mail that names them all', async () => {
    const server = await start();

    await open(server.url).send({ ...MAIL, to: ['ada@example.com', 'bob@example.com'] });

    expect(await server.next(1)).toMatchObject([{ to: ['ada@example.com', 'bob@example.com'] }]);
    expect(server.mails[0]?.headers['to']).toBe('ada@example.com, bob@example.com');
    expect(server.mails).toHaveLength(1);
  });

  test('keeps letters of any alphabet', async () => {
    const server = await start();
    const subject =
      'Prüfung fällig: 予約の確認をお願いします, und zwar noch heute vor Ladenschluss';
    const text = 'Grüße\n\n.\n=20 予約\n';

    await open(server.url, { mailFrom: 'Zoë Größe <desk@example.com>' }).send({
      ...MAIL,
      subject,
      text,
    });

    const [mail] = await server.next(1);
    expect(mail).toMatchObject({ subject, text: text.trimEnd() });
    expect(mail?.headers['from']).toBe('Zoë Größe <desk@example.com>');
  });

  test.each([
    ['line breaks', 'One\r\nBcc: eve@example.com\n\nTwo\u2028', 'One Bcc: eve@example.com Two'],
    ['a NUL and a tab', 'One\0\tTwo', 'One Two'],
  ])('has one line for a subject with %s', async (_, subject, line) => {
    const server = await start();

    await open(server.url).send({ ...MAIL, subject });

    const [mail] = await server.next(1);
    expect(mail).toMatchObject({ subject: line, to: MAIL.to });
    expect(mail?.headers).not.toHaveProperty('bcc');
  });

  test('treats an address with a comma as one invalid address, not as two', async () => {
    const server = await start();
    const mailer = open(server.url);

    await mailer.send({ ...MAIL, to: ['ada@example.com, eve@example.com'] }).catch(() => undefined);

    expect(server.mails.flatMap(({ to }) => to)).not.toContain('eve@example.com');
  });

  test.each([
    ['desk@example.com', 'desk@example.com'],
    ['<desk@example.com>', 'desk@example.com'],
    ['Harbour, Inc. <desk@example.com>', '"Harbour, Inc." <desk@example.com>'],
    ['"Harbour, Inc." <desk@example.com>', '"Harbour, Inc." <desk@example.com>'],
    ['Harbour<desk@example.com>', 'Harbour <desk@example.com>'],
  ])('from %s says so', async (mailFrom, header) => {
    const server = await start();

    await open(server.url, { mailFrom }).send(MAIL);

    const [mail] = await server.next(1);
    expect(mail?.from).toBe('desk@example.com');
    expect(mail?.headers['from']).toBe(header);
  });

  test('goes out as the user of the URL', async () => {
    const users: unknown[] = [];
    const server = await start({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth({ username, password }, _, done) {
        users.push([username, password]);
        done(null, { user: username });
      },
    });

    await open(server.url.replace('//', '//desk:p%40ss%2Fword@')).send(MAIL);

    expect(users).toEqual([['desk', 'p@ss/word']]);
  });

  test('shares a connection with the next one', async () => {
    const sessions = new Set<string>();
    const server = await start({
      onMailFrom(_, { id }, done) {
        sessions.add(id);
        done();
      },
    });
    const mailer = open(server.url);

    await mailer.send(MAIL);
    await mailer.send(MAIL);

    expect(server.mails).toHaveLength(2);
    expect(sessions.size).toBe(1);
  });
});

describe('a mail that cannot be sent', () => {
  test.each([
    ['no server', { smtpUrl: undefined }],
    ['no sender', { mailFrom: undefined }],
  ])('because there is %s is logged, without its addresses', async (_, options) => {
    const mailer = open('smtp://127.0.0.1:1', options);

    expect(await mailer.send({ ...MAIL, subject: 'Look\nhere' })).toBe('logged');

    expect(mailer.lines).toMatchObject([
      { level: 30, subject: 'Look here', recipients: 1, text: MAIL.text },
    ]);
    expect(mailer.lines[0]?.['msg']).toMatch(/FRONTDESK_SMTP_URL/);
    expect(JSON.stringify(mailer.lines)).not.toContain('@');
  });

  test('is logged without addresses and phone numbers', async () => {
    const mailer = open(undefined);
    const text = 'Ada, ada@example.com, +49 30 123456: call +4930123456 by 10:30 on 2026-01-31.';
    await mailer.send({ ...MAIL, text });
    expect(mailer.lines[0]?.['text']).toBe('Ada, …@…, +…: call +… by 10:30 on 2026-01-31.');
  });

  test('because it has no recipients is logged', async () => {
    const server = await start();
    const mailer = open(server.url);

    expect(await mailer.send({ ...MAIL, to: [] })).toBe('logged');

    expect(mailer.lines).toMatchObject([{ subject: 'Look here', recipients: 0 }]);
    expect(server.mails).toEqual([]);
  });

  test('loads no nodemailer', () => {
    const program = `
      import { registerHooks } from 'node:module';
      registerHooks({ resolve(name, context, next) {
        if (name.includes('nodemailer')) throw new Error('loaded ' + name);
        return next(name, context);
      } });
      const { openMailer } = await import('#platform/mail/mailer.ts');
      const log = { info: () => {} };
      const mail = { to: ['ada@example.com'], subject: 's', text: 't' };
      const send = (smtpUrl) => openMailer({ smtpUrl, mailFrom: 'desk@example.com', log })
        .send(mail).catch(({ message }) => message);
      console.log(await send(undefined), '/', await send('smtp://127.0.0.1:1'));`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
    });
    expect(stdout.trim()).toBe('logged / loaded nodemailer');
  });
});
