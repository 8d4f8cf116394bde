import { readBack } from '../parse-mail.support.ts';
import type { WireText } from '../../../src/conversations/providers/smtp/wire-text.ts';
import { array, assert, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  compileMail,
  headerText,
  mailboxText,
  quotedPiece,
  wireAddress,
} from '../../../src/campaigns/compose/compile-mail.ts';

const WORDING = {
  subject: 'Hello {{firstName}}',
  preheader: 'For {{firstName}} <only>',
  contentHtml: '<p>Dear {{firstName}} {{unknown}},</p><a href="{{custom_values.link}}">book</a>',
  layoutHtml:
    '<html><body class="a"><h1>Hafen</h1>{{ content }}<p>{{unsubscribe_link}}</p></body></html>',
};
const SENDER = {
  from: 'Harbour, Dental <hello@harbour.example>',
  replyTo: 'desk@harbour.example',
  date: new Date('2026-11-21T10:00:00Z'),
};
const ADA = {
  id: '01a20086-df6f-70c5-9eaf-d93ea0e30234',
  email: 'ada@bücher.example',
  values: { firstName: 'Ada <b>&', 'custom_values.link': 'https://harbour.example/?a=1&b=2' },
  unsubscribeUrl: 'https://harbour.example/u/token',
};

/** What a mail server keeps of the text that it receives. */
const received = ({ bytes }: WireText): Buffer => {
  const text = bytes.toString('latin1');
  expect(text).toMatch(/\r\n\.\r\n$/);
  return Buffer.from(text.slice(0, -3).replaceAll(/^\./gm, ''), 'latin1');
};

const mail = (wording: object = {}, to: object = {}) =>
  readBack(received(compileMail({ ...WORDING, ...wording }, SENDER)({ ...ADA, ...to })));

describe('a mail', () => {
  test('has every header that a campaign needs', async () => {
    const { headers } = await mail();
    expect(headers).toMatchObject({
      from: '"Harbour, Dental" <hello@harbour.example>',
      'reply-to': 'desk@harbour.example',
      to: 'ada@xn--bcher-kva.example',
      date: 'Sat, 21 Nov 2026 10:00:00 +0000',
      'message-id': '<01a20086-df6f-70c5-9eaf-d93ea0e30234@harbour.example>',
      precedence: 'bulk',
      'list-unsubscribe': '<https://harbour.example/u/token>',
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
      'mime-version': '1.0',
    });
  });

  test.each([
    [9_000, ' * Tom & Ada'],
    [11_000, 'Tom & Ada'],
  ])('of %i tags has a text that is converted in a moment', async (tags, line) => {
    const contentHtml = `\n<ul>${'<li>Tom &amp; {{firstName}}</li>\n'.repeat(tags / 2)}</ul>`;
    const { text } = await mail({ contentHtml }, { values: { firstName: 'Ada' } });
    const lines = text.split('\n').filter((one) => one.includes('Tom'));
    expect(new Set(lines.map((one) => one.trimEnd()))).toEqual(new Set([line]));
  });

  test('has fallbacks for missing values in every part, escaped in HTML', async () => {
    const { subject, html, text } = await mail(
      {
        subject: 'Hello {{company|you}}',
        preheader: 'For {{company|R&D}} & <you>',
        contentHtml:
          '<p>Dear {{company|<b>R&D</b> }},</p><a href="{{custom_values.page|https://x.example/?a=1&b=2}}">book</a>',
      },
      { values: { company: '' } },
    );
    expect(subject).toBe('Hello you');
    expect(html).toContain('>For R&amp;D &amp; &lt;you&gt;</div>');
    expect(html).toContain('<p>Dear &lt;b&gt;R&amp;D&lt;/b&gt;,</p>');
    expect(html).toContain('href="https://x.example/?a=1&amp;b=2"');
    expect(text).toContain('Dear <b>R&D</b>,');
    expect(text).toContain('https://x.example/?a=1&b=2');
    expect(html + text).not.toMatch(/\{\{|\}\}/);
  });

  test('escapes what it merges into HTML, and only there', async () => {
    const { subject, html, text } = await mail();
    expect(subject).toBe('Hello Ada <b>&');
    expect(html).toContain('<p>Dear Ada &lt;b&gt;&amp; ,</p>');
    expect(html).toContain('href="https://harbour.example/?a=1&amp;b=2"');
    expect(text).toContain('Dear Ada <b>& ,');
    expect(text).toContain('Hafen');
    expect(text).toContain('https://harbour.example/u/token');
    expect(html + text).not.toMatch(/\{\{|\}\}/);
  });

  test.each([
    ['tags that never end', '<body'.repeat(100_000)],
    ['nested tags', '<b>'.repeat(160_000)],
    ['nested tags with end tags of others', '<b></x>'.repeat(20_000)],
    ['nested tags with end tags in comments', '<b><!--</b>-->'.repeat(20_000)],
  ])('of nothing but %s is compiled', (_what, contentHtml) => {
    const wording = { ...WORDING, contentHtml, layoutHtml: '{{content}} the end' };
    const { bytes } = compileMail(wording, SENDER)(ADA);
    expect(bytes.toString('latin1')).toContain('the end');
  });

  test.each([
    ['line breaks', 'a<br>'],
    ['lines of preformatted text', 'a\n'],
  ])('of many %s in many quotations is compiled without indents', (_what, line) => {
    const quotations = '<blockquote>'.repeat(500);
    const contentHtml = `${quotations}<pre>${line.repeat(5_000)}</pre>`;
    const { bytes } = compileMail({ ...WORDING, contentHtml }, SENDER)(ADA);
    expect(bytes.length).toBeLessThan(200_000);
  });

  test('begins with its preheader, which is text', async () => {
    const { html } = await mail();
    expect(html).toMatch(
      /<body class="a"><div style="[^"]+">For Ada &lt;b&gt;&amp; &lt;only&gt;<\/div><h1>/,
    );
    expect((await mail({ preheader: null })).html).toContain('<body class="a"><h1>');
  });

  test('is refused if its merge fields make it longer than 2 million characters', () => {
    const contentHtml = '{{custom_values.long}}'.repeat(250);
    const values = { 'custom_values.long': 'x'.repeat(10_000) };
    const send = compileMail({ ...WORDING, contentHtml }, SENDER);
    expect(() => send({ ...ADA, values })).toThrow('at most 2000000 characters are allowed');
  });

  test('does not merge fields in values, and removes their line breaks', async () => {
    const values = { firstName: '{{email}}\r\nBcc: eve@example.com', email: 'secret' };
    const { subject, headers, html } = await mail({}, { values });
    expect(subject).toBe('Hello {{email}}Bcc: eve@example.com');
    expect(headers['bcc']).toBeUndefined();
    expect(html).not.toContain('secret');
  });

  test('keeps lines that begin with dots, wherever they come from', async () => {
    const { html } = await mail(
      { contentHtml: '.\n..\n{{firstName}}{{custom_values.link}}' },
      { values: { firstName: '.Ada\n.', 'custom_values.link': '.\n' } },
    );
    expect(html).toContain('<h1>Hafen</h1>.\n..\n.Ada\n..\n<p>');
  });

  test('has no line above the limit, whatever its texts', async () => {
    const { bytes: raw } = compileMail(
      { ...WORDING, contentHtml: 'ß'.repeat(20_000) },
      SENDER,
    )({
      ...ADA,
      values: { firstName: '😀'.repeat(500) },
    });
    expect(raw.every((byte) => byte < 0x80)).toBe(true);
    const longest = Math.max(
      ...raw
        .toString()
        .split('\r\n')
        .map((line) => line.length),
    );
    expect(longest).toBeLessThanOrEqual(100);
  });
});

const decoded = (quoted: string): string =>
  Buffer.from(
    quoted
      .replaceAll('=\r\n', '')
      .replaceAll(/=([\dA-F]{2})/g, (_, hex: string) =>
        String.fromCodePoint(Number.parseInt(hex, 16)),
      ),
    'latin1',
  ).toString();

describe('quoted-printable', () => {
  test('decodes to the original text, also after concatenating pieces', () => {
    assert(
      property(array(string({ unit: 'grapheme', maxLength: 200 })), (texts) => {
        const quoted = texts.map(quotedPiece).join('');
        const wanted = texts.map((one) => one.replaceAll(/\r\n?|\n/g, '\r\n')).join('');
        expect(decoded(quoted)).toBe(wanted);
        for (const line of quoted.split('\r\n')) {
          expect(line.length).toBeLessThanOrEqual(76);
          expect(line).toMatch(/^[\t\x20-\x7e]*$/);
          expect(line).not.toMatch(/[ \t]$/);
        }
      }),
    );
  });
});

describe('a header', () => {
  test.for([
    ['plain', 'plain'],
    ['a\r\nBcc: eve@example.com', 'a Bcc: eve@example.com'],
    ['Grüße', '=?UTF-8?B?R3LDvMOfZQ==?='],
    ['=?UTF-8?B?eA==?=', '=?UTF-8?B?PT9VVEYtOD9CP2VBPT0/PQ==?='],
  ] as const)('of %j is %j', ([given, wanted]) => {
    expect(headerText(given)).toBe(wanted);
  });

  test('above the length of a line is folded', async () => {
    const subject = `${'word '.repeat(199)}{{firstName}}`;
    const lines = headerText(subject).split('\r\n ');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(80);
    const values = { firstName: 'x'.repeat(900) };
    const read = await mail({ subject }, { values });
    expect(read.subject).toBe(`${'word '.repeat(199)}${'x'.repeat(900)}`);
  });

  test('is folded between characters, not within one', () => {
    const words = headerText('😀'.repeat(40)).split('\r\n ');
    expect(words.length).toBeGreaterThan(1);
    const texts = words.map((word) => Buffer.from(word.slice(10, -2), 'base64').toString());
    expect(texts.join('')).toBe('😀'.repeat(40));
    expect(Math.max(...words.map(({ length }) => length))).toBeLessThanOrEqual(75);
  });

  test.for([
    [{ name: '', address: 'a@b.example' }, 'a@b.example'],
    [{ name: 'Harbour "x" \\', address: 'a@b.example' }, '"Harbour \\"x\\" \\\\" <a@b.example>'],
    [{ name: 'Grüße', address: 'a@b.example' }, '=?UTF-8?B?R3LDvMOfZQ==?= <a@b.example>'],
  ] as const)('of a mailbox %j is %j', ([given, wanted]) => {
    expect(mailboxText(given)).toBe(wanted);
  });

  test('names a domain in ASCII', () => {
    expect(wireAddress('jo@bücher.example')).toBe('jo@xn--bcher-kva.example');
    expect(wireAddress('jo@example.com')).toBe('jo@example.com');
  });
});
