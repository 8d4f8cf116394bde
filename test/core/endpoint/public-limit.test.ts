import { describe, expect, test } from 'vitest';
import { PUBLIC_DEFAULT, readPublicRates } from '#core/rate-limit.ts';

const MINUTE_MS = 60_000;
const DEFAULT = {
  chat_session: { limit: 10, windowMs: 60 * MINUTE_MS },
  chat_message: { limit: 30, windowMs: MINUTE_MS },
  chat_activity: { limit: 120, windowMs: MINUTE_MS },
  form: { limit: 10, windowMs: MINUTE_MS },
  booking: { limit: 20, windowMs: MINUTE_MS },
  workflow: { limit: 120, windowMs: MINUTE_MS },
  availability: { limit: 600, windowMs: MINUTE_MS },
  sign_in: { limit: 60, windowMs: 60 * MINUTE_MS },
  oauth: { limit: 120, windowMs: MINUTE_MS },
  chat_file: { limit: 20, windowMs: 10 * MINUTE_MS },
  form_file: { limit: 20, windowMs: 10 * MINUTE_MS },
  public_read: { limit: 1_200, windowMs: MINUTE_MS },
  captcha: { limit: 120, windowMs: MINUTE_MS },
  unsubscribe: { limit: 20, windowMs: MINUTE_MS },
};

describe('rates of visitors', () => {
  test('default to those of the contract', () => {
    expect(readPublicRates(PUBLIC_DEFAULT)).toEqual(DEFAULT);
  });

  test('are set by name; the others keep their defaults', () => {
    expect(readPublicRates('form=5/30s, chat_session=1000/1h')).toEqual({
      ...DEFAULT,
      form: { limit: 5, windowMs: 30_000 },
      chat_session: { limit: 1_000, windowMs: 60 * MINUTE_MS },
    });
  });

  test.for([
    ['an unknown name', 'chat=1/1m'],
    ['no rate', 'form'],
    ['an empty rate', 'form='],
    ['a rate that is none', 'form=many'],
    ['two rates at once', 'form=1/1m=2'],
    ['nothing between commas', 'form=1/1m,,booking=1/1m'],
    ['a name of every object', '__proto__=1/1m'],
    ['another', 'constructor=1/1m'],
  ])('are not %s', ([, text = '']) => {
    expect(readPublicRates(text)).toBeUndefined();
  });
});
