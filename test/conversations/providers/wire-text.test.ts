import { assert, constantFrom, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { wireTextOf } from '../../../src/conversations/providers/smtp/wire-text.ts';

const wire = (mail: string) => wireTextOf(Buffer.from(mail, 'latin1')).bytes.toString('latin1');

test('a mail ends with the final dot on a line of its own', () => {
  expect(wire('Hello')).toBe('Hello\r\n.\r\n');
  expect(wire('Hello\r\n')).toBe('Hello\r\n.\r\n');
});

test.for([
  ['.', '..\r\n'],
  ['a\r\n.b', 'a\r\n..b\r\n'],
  ['a\n.\nb', 'a\r\n..\r\nb\r\n'],
  ['a\r.\rb', 'a\r\n..\r\nb\r\n'],
  ['a\r\n.\r\n.\r\n', 'a\r\n..\r\n..\r\n'],
] as const)('%j is sent as %j', ([mail, sent]) => {
  expect(wire(mail)).toBe(`${sent}.\r\n`);
});

test('no text ends a mail early, whichever line break a server believes in', () => {
  const unit = constantFrom('.', '\r', '\n', 'a', '\x85', '\xff');
  assert(
    property(string({ unit, maxLength: 30 }), (mail) => {
      const text = wire(mail).slice(0, -3);
      expect(text).not.toMatch(/(?:^|[\r\n])\.(?!\.)/);
      expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
      const kept = text.replaceAll(/^\./gm, '').replaceAll('\r\n', '\n');
      expect(kept.replace(/\n$/, '')).toBe(mail.replaceAll(/\r\n?/g, '\n').replace(/\n$/, ''));
    }),
  );
});
