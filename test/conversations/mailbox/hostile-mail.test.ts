import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { issuesOf } from '#core/schema/check.ts';
import { Fault } from '#core/fault.ts';
import { inboundBody, receiptBody } from '../../../src/conversations/inbound/callback.schema.ts';
import { parseMail } from '../../../src/conversations/mailbox/parse-safely.ts';
import { postfix } from './bounces.support.ts';
import { DESK, fromAda } from './mail.support.ts';

const ID = '<0192f7c4-5b1e-7c3a-9d42-29468088e7f1@harbour.example>';

/** The content is valid for a bridge too, and contains nothing that a column would refuse. */
async function expectSound(raw: Buffer): Promise<void> {
  const parsed = await parseMail(raw, DESK).catch(nothingWhereUnreadable);
  for (const { references, threadToken, isUnproven, attachments, ...message } of parsed?.inbound ??
    []) {
    expect(issuesOf(inboundBody, message)).toEqual([]);
    const texts = attachments?.map(({ name, type }) => `${name} ${type}`) ?? [];
    expect(texts.every((text) => !REFUSED.test(JSON.stringify(text)))).toBe(true);
    expect(REFUSED.test(JSON.stringify([message, references, threadToken, isUnproven]))).toBe(
      false,
    );
  }
  for (const receipt of parsed?.receipts ?? []) {
    expect(issuesOf(receiptBody, receipt)).toEqual([]);
  }
}

/** NUL and lone surrogates, which PostgreSQL cannot store. */
const REFUSED = /\\u(?:0000|d[89a-f])/i;

function nothingWhereUnreadable(error: unknown): undefined {
  if (!(error instanceof Fault) || error.code !== 'VALIDATION_ERROR') {
    throw error;
  }
}

const HEADERS = [
  'From',
  'To',
  'Subject',
  'Date',
  'Message-ID',
  'In-Reply-To',
  'References',
  'Content-Type',
  'Content-Transfer-Encoding',
  'Content-Disposition',
  'Auto-Submitted',
  'List-Id',
  'Status',
  'Action',
  'Diagnostic-Code',
];

const VALUES = [
  'Ada <ada@example.com>',
  'multipart/mixed; boundary=b',
  'multipart/report; report-type=delivery-status; boundary=b',
  'multipart/alternative; boundary="b"',
  'message/delivery-status',
  'message/rfc822',
  'text/html; charset=utf-7',
  'text/plain; charset=x-unknown; format=flowed',
  'base64',
  'quoted-printable',
  '=?utf-8?B?/////w==?=',
  '=?x-none?Q?=00=FF?=',
  ID,
  'failed',
  '5.1.1',
  '\0',
  '99 Foo 99999 99:99:99',
];

/** Lines of mails in random order, broken in random ways. */
const mails = fc
  .array(
    fc.oneof(
      fc
        .tuple(
          fc.constantFrom(...HEADERS),
          fc.oneof(fc.constantFrom(...VALUES), fc.string({ unit: 'binary', maxLength: 30 })),
        )
        .map(([name, value]) => `${name}: ${value}`),
      fc.constantFrom('', '', '--b', '--b--', '<p>', '=00=', '\0', 'QUJDRA==', ' folded'),
      fc.string({ unit: 'binary', maxLength: 40 }),
    ),
    { maxLength: 40 },
  )
  .map((lines) => Buffer.from(`From: ada@example.com\r\n${lines.join('\r\n')}`, 'latin1'));

describe('any input', () => {
  test('is a valid message or an unreadable mail', async () => {
    await fc.assert(fc.asyncProperty(mails, expectSound), { numRuns: 1_000 });
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), (bytes) =>
        expectSound(Buffer.from(bytes)),
      ),
    );
  });

  test('that is a bounce with any changed byte is one of them, too', async () => {
    const whole = Buffer.from(postfix(ID));
    const changed = fc.tuple(fc.nat(whole.length - 1), fc.nat(255)).map(([at, byte]) => {
      const copy = Buffer.from(whole);
      copy[at] = byte;
      return copy;
    });
    await fc.assert(fc.asyncProperty(changed, expectSound), { numRuns: 500 });
  });

  for (const [what, raw] of [
    ['is nested too deeply', nested(60)],
    ['has an endless header', fromAda({ 'X-Long': 'x'.repeat(600_000) })],
    ['has too many headers', fromAda(many(20_000))],
    [
      'has too many parts',
      `From: a@b.c\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\n'.repeat(20_000)}`,
    ],
    ['has too many lines', fromAda({}, '\r\n'.repeat(500_000))],
  ] as const) {
    test(`and ${what} is refused as unreadable`, async () => {
      await expect(parseMail(Buffer.from(raw), DESK)).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        details: { reason: 'unreadable_mail' },
      });
    });
  }

  for (const [what, html] of [
    ['opens tags without closing them', '<div>'.repeat(200_000)],
    ['consists of opening brackets', '<'.repeat(1_000_000)],
    ['consists of comments', '<!--'.repeat(200_000)],
    ['contains a NUL', '<p>a\0b</p>'],
    ['contains a lone surrogate', '<p>a&#xD83D;b</p>'],
    ['is cut within a surrogate pair', `<p>${'a'.repeat(999_999)}😀</p>`],
    ['has too many attributes', `<a ${'x=1 '.repeat(200_000)}>`],
  ] as const) {
    test(`and is HTML that ${what} is a sound message`, async () => {
      const mail = Buffer.from(fromAda({ 'Content-Type': 'text/html' }, html));
      expect(await expectSound(mail)).toBeUndefined();
    });
  }

  for (const [what, headers, text] of [
    ['text', {}, `${'x'.repeat(999_999)}😀😀`],
    ['text of surrogate pairs', {}, 'x😀'.repeat(600_000)],
    ['subject', { Subject: `=?utf-8?Q?${'x'.repeat(997)}😀?=` }, 'Hello'],
  ] as const) {
    test(`and is ${what} that is cut within a pair of surrogates is sound`, async () => {
      expect(await expectSound(Buffer.from(fromAda(headers, text)))).toBeUndefined();
    });
  }

  for (const [what, headers] of [
    ['In-Reply-To', { 'In-Reply-To': '<a\0b@example.com>' }],
    ['References', { References: '<a\0b@example.com>' }],
    ['the type of a file', { 'Content-Type': 'image/a\0b', 'Content-Disposition': 'attachment' }],
  ] as const) {
    test(`and has a NUL in ${what} is a sound message`, async () => {
      expect(await expectSound(Buffer.from(fromAda(headers, 'Hello')))).toBeUndefined();
    });
  }

  for (const [what, headers, text] of [
    // In quadratic time, each of these takes minutes.
    ['the reason of a bounce', { 'X-Failed-Recipients': 'a@b.c' }, ` 550 ${'a'.repeat(1_000_000)}`],
    ['a subject of spaces', { Subject: `=?utf-8?Q?x${'_'.repeat(500_000)}y?=` }, 'Hello'],
    ['a name of spaces', { From: `=?utf-8?Q?x${'_'.repeat(500_000)}y?= <a@b.c>` }, 'Hello'],
    [
      'a file name of spaces',
      { 'Content-Disposition': `attachment; filename="x${' '.repeat(500_000)}y"` },
      'Hello',
    ],
  ] as const) {
    test(`and has ${what} is a sound message in linear time`, async () => {
      expect(await expectSound(Buffer.from(fromAda(headers, text)))).toBeUndefined();
    });
  }

  test('and has the reason of a bounce in one long line is a bounce', async () => {
    const headers = { 'X-Failed-Recipients': 'a@b.c', 'In-Reply-To': ID };
    const raw = fromAda(headers, ` 550 5.1.1 ${'a'.repeat(1_000_000)}`);
    const { receipts } = await parseMail(Buffer.from(raw), DESK);
    expect(receipts).toMatchObject([{ externalId: ID, errorCode: '5.1.1' }]);
    expect(receipts[0]?.errorMessage).toHaveLength(500);
  });

  test('and opens thousands of unknown tags has its text', async () => {
    const raw = fromAda({ 'Content-Type': 'text/html' }, `${'<br-x>'.repeat(2_000)}Hello`);
    const { inbound } = await parseMail(Buffer.from(raw), DESK);
    expect(inbound[0]?.bodyText.trim()).toBe('Hello');
  });

  test('and is too long is cut', async () => {
    const { inbound } = await parseMail(Buffer.from(fromAda({}, 'x'.repeat(2_000_000))), DESK);
    expect(inbound[0]?.bodyText.length).toBe(1_000_000);
  });

  test('and is megabytes of control characters has the size of its text', async () => {
    const html = `<p>Hello${'\x01'.repeat(1_900_000)}</p>`;
    const raw = fromAda({ 'Content-Type': 'text/html' }, html);
    const { inbound } = await parseMail(Buffer.from(raw), DESK);
    expect(JSON.stringify(inbound).length).toBeLessThan(1_000);
    expect(inbound).toMatchObject([
      { bodyText: 'Hello', bodyHtml: expect.stringMatching(/^<p>Hello<\/p>/) },
    ]);
  });
});

function nested(levels: number): string {
  const heads = Array.from(
    { length: levels },
    (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`,
  );
  return `From: ada@example.com\r\n${heads.join('')}`;
}

const many = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`X-${n}`, 'x'.repeat(20)]));
