import { describe, expect, test } from 'vitest';
import {
  explainSafely,
  openParser,
  parseMail,
} from '../../../src/conversations/mailbox/parse-safely.ts';
import { ThreadOverrun } from '#platform/process/guarded-thread.ts';
import { DESK, fromAda } from './mail.support.ts';

/** Within every limit of the parser, and slow: each line is compared with each level. */
function slow(headers: Readonly<Record<string, string>> = {}): Buffer {
  const levels = Array.from(
    { length: 45 },
    (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`,
  );
  const [first = '', ...inner] = levels;
  const given = fromAda({ ...headers, 'Content-Type': first.slice(14, first.indexOf('\r\n')) }, '');
  return Buffer.from(`${given}--b0\r\n${inner.join('')}${'a\n'.repeat(400_000)}`);
}

describe('a mail that takes too long to parse', () => {
  test('does not delay other mails', async () => {
    const order: string[] = [];
    await Promise.all([
      explainSafely(slow(), DESK).then(() => order.push('slow')),
      explainSafely(Buffer.from(fromAda()), DESK).then(() => order.push('small')),
    ]);
    expect(order).toEqual(['small', 'slow']);
  });

  test('does not delay large mails of other channels', async () => {
    const order: string[] = [];
    const large = Buffer.from(fromAda({}, 'x '.repeat(20_000)));
    const read = async (name: string, raw: Buffer, id: string) => {
      await explainSafely(raw, { ...DESK, id });
      order.push(name);
    };
    await Promise.all([
      ...[1, 2].map((n) => read(`slow ${n}`, slow(), 'a')),
      read('large', large, 'b'),
      read('another', large, 'c'),
    ]);
    expect(order.slice(0, 2).sort()).toEqual(['another', 'large']);
    expect(order.slice(2)).toEqual(['slow 1', 'slow 2']);
  });

  test('is ended at the deadline, and the next mail is parsed in a new thread', async () => {
    const impatient = openParser(1);
    for (let round = 0; round < 3; round += 1) {
      await expect(explainSafely(slow(), DESK, impatient)).rejects.toThrow(ThreadOverrun);
    }
    const patient = openParser();
    const { inbound } = await explainSafely(
      Buffer.from(fromAda({}, 'x '.repeat(20_000))),
      DESK,
      patient,
    );
    expect(inbound[0]?.bodyText).toHaveLength(39_999);
  });

  test('is a message with a note instead of its content, with sender, subject and Message-ID', async () => {
    const raw = slow({ 'Message-ID': '<slow@example.com>', 'In-Reply-To': '<before@example.com>' });
    const { inbound, receipts } = await parseMail(raw, DESK, openParser(1));
    expect(receipts).toEqual([]);
    expect(inbound).toMatchObject([
      {
        externalId: '<slow@example.com>',
        from: 'ada@example.com',
        contactName: 'Ada Lovelace',
        subject: 'Re: Your visit',
        references: ['<before@example.com>'],
        bodyText: expect.stringMatching(/^\[The content of this mail is missing/),
      },
    ]);
    expect(inbound[0]).not.toHaveProperty('bodyHtml');
  });

  test('has the same id as the whole mail if it has no Message-ID', async () => {
    const raw = Buffer.from(`From: ada@example.com\r\n\r\n${'x '.repeat(20_000)}`);
    const whole = await explainSafely(raw, DESK);
    const outline = await parseMail(raw, DESK, openParser(1));
    expect(outline.inbound[0]?.externalId).toBe(whole.inbound[0]?.externalId);
    expect(outline.inbound[0]?.externalId).toMatch(/^sha256:/);
  });

  test('and is automatic or a report stays ignored', async () => {
    const report = `From: mta@example.com\r\nContent-Type: multipart/report;\r\n boundary=b\r\n\r\n${'x\n'.repeat(20_000)}`;
    expect(await parseMail(Buffer.from(report), DESK, openParser(1))).toEqual({
      inbound: [],
      receipts: [],
    });
    const automatic = slow({ 'Auto-Submitted': 'auto-replied' });
    expect((await parseMail(automatic, DESK, openParser(1))).inbound).toEqual([]);
  });

  test('and has no readable head is refused', async () => {
    const raw = Buffer.from(`X-Long: ${'x'.repeat(40_000)}\r\nFrom: ada@example.com\r\n\r\nHello`);
    await expect(parseMail(raw, DESK, openParser(1))).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { reason: 'unreadable_mail' },
    });
  });
});

test('a refusal of the thread is the one of the parser', async () => {
  const raw = Buffer.from(fromAda({ 'X-Long': 'x'.repeat(600_000) }));
  await expect(explainSafely(raw, DESK)).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    details: { reason: 'unreadable_mail' },
  });
});
