import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitLinks } from '../../web/chat/split-links.ts';
import { cpuMs } from '../support/cpu-time.ts';

const linksIn = (text: string) =>
  splitLinks(text).flatMap(({ text, href }) => (href === undefined ? [] : [text]));

describe('URLs in a message', () => {
  test.each([
    ['see https://a.example/x?y=1#z now', ['https://a.example/x?y=1#z']],
    ['two: http://a.example, https://b.example.', ['http://a.example', 'https://b.example']],
    ['(https://a.example/x)', ['https://a.example/x']],
    ['https://en.example/wiki/Tea_(drink)', ['https://en.example/wiki/Tea_(drink)']],
    ['"https://a.example"', ['https://a.example']],
    ['HTTPS://A.example', ['HTTPS://A.example']],
    ['שלום https://a.example!', ['https://a.example']],
    ['javascript:alert(1) data:text/html,x ftp://a.example www.a.example', []],
    ['https://', []],
    ['no link', []],
  ])('of %j are %j', (text, links) => {
    expect(linksIn(text)).toEqual(links);
  });

  test.each([
    [')', ''],
    ['.', ''],
    [').', ''],
    ['.', 'x'],
  ])('are found at once before endless %j and %j', (text, end) => {
    const url = `http://a.example/${text.repeat(200_000)}${end}`;
    expect(cpuMs(() => expect(linksIn(url)).toHaveLength(1))).toBeLessThan(1_000);
  });

  test('no text is lost, and links are only http or https', () => {
    const part = fc.oneof(
      fc.string(),
      fc.webUrl(),
      fc.constantFrom('http://', 'https://[', ')', ' '),
    );
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const text = parts.join('');
        const pieces = splitLinks(text);
        expect(pieces.map((piece) => piece.text).join('')).toBe(text);
        for (const { href } of pieces) {
          expect(href ?? 'https://x').toMatch(/^https?:\/\//);
        }
      }),
    );
  });
});
