import { expect, test } from 'vitest';
import { lineOf } from '../../src/commands/doctor.ts';

test('a check has no characters that control the terminal', () => {
  const message = 'mail.example says: \u001B]0;title\u0007 \u009B31m \u202Eno';
  const line = lineOf({ name: 'mailboxes', status: 'warn', message, fix: 'fix\u001B[2J it' });
  expect(line).toContain('mailboxes: mail.example says: ]0;title 31m no – fix [2J it');
});
