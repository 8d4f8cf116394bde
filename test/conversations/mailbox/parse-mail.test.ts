import type { FileContent } from '../../../src/files/store-file.ts';
import { describe, expect, test } from 'vitest';
import { explainMail } from '../../../src/conversations/mailbox/parse-mail.ts';
import { parseMail } from '../../../src/conversations/mailbox/parse-safely.ts';
import { DESK, fromAda, mime } from './mail.support.ts';

const explained = (raw: string | Buffer) => explainMail(Buffer.from(raw), DESK);

/** Parses a mail that is a message. */
async function message(raw: string | Buffer) {
  const { inbound, receipts } = await parseMail(Buffer.from(raw), DESK);
  expect([inbound.length, receipts]).toEqual([1, []]);
  return inbound[0]!;
}

const parts = (boundary: string, ...all: readonly string[]): string =>
  `${all.map((part) => `--${boundary}\r\n${part}\r\n`).join('')}--${boundary}--`;

const ID = '0192f7c4-5b1e-7c3a-9d42-29468088e7f1';

describe('a mail', () => {
  test('yields sender, text, time, name and references', async () => {
    const raw = mime(
      {
        From: '=?utf-8?Q?Ada_L=C3=B6velace?= <Ada@Example.com>',
        To: `"Desk" <desk+${ID.replaceAll('-', '')}@harbour.example>, other@x.example`,
        Subject: '=?utf-8?B?R3LDvMOfZQ==?=\r\n =?iso-8859-1?Q?_aus_K=F6ln?=',
        'Message-ID': '<one@example.com>',
        'In-Reply-To': '<b@x>',
        References: '<a@x>\r\n <b@x>',
        Date: 'Tue, 3 Nov 2026 10:00:00 +0100',
        'Content-Type': 'text/plain; charset=iso-8859-1',
        'Content-Transfer-Encoding': 'quoted-printable',
      },
      '\r\nGr=FC=DFe\r\n-- \r\nAda\r\n\r\n',
    );
    expect(await message(raw)).toEqual({
      externalId: '<one@example.com>',
      isUnproven: false,
      from: 'Ada@Example.com',
      to: `desk+${ID.replaceAll('-', '')}@harbour.example`,
      contactName: 'Ada Lövelace',
      subject: 'Grüße aus Köln',
      bodyText: 'Grüße\n-- \nAda',
      timestamp: Date.parse('2026-11-03T09:00:00Z'),
      references: ['<b@x>', '<a@x>'],
      threadToken: ID,
    });
  });

  test('of HTML only gets its text from the HTML, which is stored unchanged', async () => {
    const html =
      '<html><head><style>p{}</style></head><body><p>Hello <b>you</b></p><script>x()</script><ul><li>one</ul></body></html>';
    const { bodyText, bodyHtml } = await message(fromAda({ 'Content-Type': 'text/html' }, html));
    expect(bodyHtml?.trim()).toBe(html);
    expect(bodyText).toBe('Hello you\n\n * one');
  });

  test('has bodies without control characters, except tabs and line breaks', async () => {
    const body = parts(
      'a',
      'Content-Type: text/plain; charset=utf-8\r\n\r\n\x01\r\n\tHel\x1b[31mlo\x7f you\x0b\r\n\x0cä\x00\u0085',
      'Content-Type: text/html; charset=utf-8\r\n\r\n<p>\x02\tä\x1f\r\n\u009b</p>',
    );
    const raw = fromAda({ 'Content-Type': 'multipart/alternative; boundary=a' }, body);
    const { bodyText, bodyHtml } = await message(raw);
    expect([bodyText, bodyHtml?.trim()]).toEqual(['\tHel[31mlo you\nä', '<p>\tä\n</p>']);
  });

  test('has no HTML above 2,000,000 bytes, but its text', async () => {
    const html = (length: number) =>
      fromAda({ 'Content-Type': 'text/html; charset=utf-8' }, `<p>${'ä'.repeat(length)}</p>`);
    const whole = await message(html(999_990));
    expect(whole.bodyHtml?.length).toBeGreaterThan(999_990);
    const large = await message(html(1_000_001));
    expect([large.bodyHtml, large.bodyText.length]).toEqual([undefined, 999_997]);
  });

  test('has its attachments and inline images as files', async () => {
    const picture =
      'Content-Type: image/png; name=logo.png\r\nContent-ID: <logo>\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=';
    const body = parts(
      'a',
      `Content-Type: multipart/related; boundary=b\r\n\r\n${parts('b', 'Content-Type: text/html\r\n\r\n<p>See there <img src="cid:logo"></p>', picture)}`,
      `Content-Type: application/pdf\r\nContent-Disposition: attachment; filename="=?utf-8?Q?../R=C3=A9sum=C3=A9.pdf?="\r\nContent-Transfer-Encoding: base64\r\n\r\n${'QUJD'.repeat(700)}`,
      'Content-Type: message/rfc822\r\n\r\nFrom: eve@x.example\r\n\r\nsecret',
    );
    const { bodyText, attachments = [] } = await message(
      fromAda({ 'Content-Type': 'multipart/mixed; boundary=a' }, body),
    );
    expect(bodyText).toBe('See there');
    expect(
      attachments.map((file) => ({ ...file, bytes: (file as FileContent).bytes.length })),
    ).toEqual([
      { name: 'logo.png', type: 'image/png', bytes: 8 },
      { name: '../Résumé.pdf', type: 'application/pdf', bytes: 2_100 },
      { name: '', type: 'message/rfc822', bytes: expect.any(Number) },
    ]);
  });

  test('without a valid Message-ID has a hash of its bytes as id', async () => {
    const without = fromAda().replace(/Message-ID:.*\r\n/, '');
    const names = await Promise.all(
      [without, without, `${without}.`, fromAda({ 'Message-ID': 'no angle' })].map(
        async (raw) => (await message(raw)).externalId,
      ),
    );
    expect(names[0]).toMatch(/^sha256:[\da-f]{64}$/);
    expect(names[1]).toBe(names[0]);
    expect(new Set(names).size).toBe(3);
  });

  test('without a sender address is unreadable', async () => {
    for (const raw of ['', '\0', 'Hello', mime({ Subject: 'x' }), mime({ From: 'Cron Daemon' })]) {
      await expect(parseMail(Buffer.from(raw), DESK)).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        details: { reason: 'unreadable_mail' },
      });
    }
  });
});

describe('the filter', () => {
  const AUTOMATIC = 'automatic mail';
  const MANY = 'newsletter or mailing list';
  for (const [said, headers, why] of [
    ['is an auto-reply', { 'Auto-Submitted': 'auto-replied (vacation)' }, AUTOMATIC],
    ['is generated', { 'Auto-Submitted': 'auto-generated' }, AUTOMATIC],
    ['is an out-of-office reply of Exchange', { 'X-Auto-Response-Suppress': 'All' }, AUTOMATIC],
    ['has Precedence: auto_reply', { Precedence: 'auto_reply' }, AUTOMATIC],
    ['has an X-Autoreply header', { 'X-Autoreply': 'yes' }, AUTOMATIC],
    ['has no return path', { 'Return-Path': '<>' }, AUTOMATIC],
    ['comes from a mailer daemon', { From: 'MAILER-DAEMON@mx.example.com' }, AUTOMATIC],
    ['is a read receipt', { 'Content-Type': 'multipart/report; boundary=x' }, AUTOMATIC],
    ['is a newsletter', { 'List-Unsubscribe': '<mailto:u@x.example>' }, MANY],
    ['comes from a mailing list', { 'List-Id': 'Sailors <sailors.x.example>' }, MANY],
    ['is bulk', { Precedence: 'bulk' }, MANY],
    [
      'is our own by its sender',
      { From: 'Harbour <HELLO@harbour.example>' },
      'sent by this channel',
    ],
  ] as const) {
    test(`ignores a mail that ${said}`, async () => {
      expect(await explained(fromAda(headers))).toEqual({
        inbound: [],
        receipts: [],
        ignored: why,
      });
    });
  }

  test('accepts mails from people, however they arrive', async () => {
    for (const headers of [
      { 'Auto-Submitted': 'no' },
      { 'X-Auto-Response-Suppress': 'None' },
      { 'Return-Path': '<ada@example.com>' },
      { Precedence: 'first-class' },
      { 'List-Id': '<hello.harbour.example>', Precedence: 'list' },
      { Precedence: 'bulk', 'In-Reply-To': `<${ID}@harbour.example>` },
      { 'Message-ID': `<${ID}@example.com>` },
      { 'Message-ID': `<${ID}@harbour.example>` },
    ]) {
      expect(await explained(fromAda(headers))).toMatchObject({ inbound: [{}], receipts: [] });
    }
  });
});
