import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { refusalText } from '../../web/console/i18n/refusals.ts';
import { deMessages } from '../../web/console/i18n/de/de.ts';
import { enMessages } from '../../web/console/i18n/en/en.ts';
import { ERROR_MEANINGS } from '../../docs/reference/error-meanings.ts';

const { refusals } = deMessages.errors;

test.each([
  [{ code: 'VALIDATION_ERROR', details: { reason: 'duplicate_email' } }, /^Diese E-Mail-Adresse/],
  [{ code: 'SERVICE_UNAVAILABLE', details: { reason: 'file_storage' } }, /^Der Dateispeicher/],
  [{ code: 'RATE_LIMITED' }, /zu viele Anfragen/],
  [{ code: 'RATE_LIMITED', details: { reason: 'toString' } }, /zu viele Anfragen/],
])('a refusal is said in the language of the user: %j', (refusal, text) => {
  expect(refusalText(refusal, refusals)).toMatch(text);
});

test('the words of the server remain in English, and where there is no translation', () => {
  expect(refusalText({ code: 'RATE_LIMITED' }, enMessages.errors.refusals)).toBeUndefined();
  expect(refusalText({ code: 'VALIDATION_ERROR' }, refusals)).toBeUndefined();
});

test('each translated refusal is one of the server', () => {
  const { reasons, codes } = refusals ?? { reasons: {}, codes: {} };
  const sources = globSync('src/**/*.ts').map((path) => readFileSync(path, 'utf8'));
  const unknown = Object.keys(reasons).filter(
    (reason) => !sources.some((source) => source.includes(`reason: '${reason}'`)),
  );
  expect(unknown).toEqual([]);
  expect(Object.keys(codes).filter((code) => !Object.hasOwn(ERROR_MEANINGS, code))).toEqual([]);
});
