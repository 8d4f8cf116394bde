import { describe, expect, test } from 'vitest';
import { finalOutcome, settle } from '../../../src/campaigns/delivery/outcome.ts';
import { openTokenBucket } from '../../../src/campaigns/delivery/send-loop.ts';
import { outcomeOf } from '../../../src/conversations/providers/smtp/outcome.ts';

const smtp = (code: string, command?: string, responseCode?: number, response = '') =>
  Object.assign(new Error('no'), {
    code,
    ...(command && { command }),
    ...(responseCode && { responseCode, response: `${responseCode} ${response}` }),
  });

describe('an error of SMTP', () => {
  test.for([
    ['a server that cannot be reached', smtp('ECONNECTION', 'CONN'), false, 'again'],
    ['a timeout before the mail', smtp('ETIMEDOUT', 'CONN'), false, 'again'],
    ['a timeout after the mail', smtp('ETIMEDOUT', 'CONN'), true, 'unknown'],
    ['a connection lost within the mail', smtp('ECONNECTION', 'CONN'), true, 'unknown'],
    ['421 after the mail', smtp('ECONNECTION', 'CONN', 421), true, 'again'],
    ['451 at RCPT', smtp('EENVELOPE', 'RCPT TO', 451), false, 'again'],
    ['550 at RCPT', smtp('EENVELOPE', 'RCPT TO', 550, '5.1.1 who'), false, 'refused'],
    ['554 at DATA', smtp('EMESSAGE', 'DATA', 554), true, 'refused'],
    ['451 at DATA', smtp('EMESSAGE', 'DATA', 451), true, 'again'],
    ['354 after the mail', smtp('EMESSAGE', 'DATA', 354), true, 'unknown'],
    ['99 after the mail', smtp('EMESSAGE', 'DATA', 99), true, 'unknown'],
    ['600 after the mail', smtp('EMESSAGE', 'DATA', 600), true, 'unknown'],
    ['354 at RCPT', smtp('EENVELOPE', 'RCPT TO', 354), false, 'again'],
    ['550 at the sender', smtp('EENVELOPE', 'MAIL FROM', 550), false, 'refused'],
    ['554 at the greeting', smtp('EPROTOCOL', 'CONN', 554), false, 'again'],
    ['an invalid address', smtp('EENVELOPE', 'API'), false, 'refused'],
    ['a wrong password', smtp('EAUTH', 'AUTH PLAIN', 535), false, 'stuck'],
    ['a temporary failure of the login', smtp('EAUTH', 'AUTH PLAIN', 454), false, 'again'],
  ] as const)('%s', ([, error, isTaking, result]) => {
    expect(outcomeOf(error, isTaking).result).toBe(result);
  });

  test('is recorded without the words of the mailer before the reply of the server', () => {
    const error = Object.assign(smtp('EENVELOPE', 'RCPT TO', 550, '5.1.1 who'), {
      message: `Can't send mail - all recipients were rejected: 550 5.1.1 who`,
    });
    expect(outcomeOf(error, false)).toMatchObject({ errorMessage: '550 5.1.1 who' });
  });

  test('marks an address as dead only for 5.1.x at RCPT', () => {
    const dead = (error: Error) => {
      const outcome = outcomeOf(error, false);
      return outcome.result === 'refused' && outcome.isDeadAddress;
    };
    expect(dead(smtp('EENVELOPE', 'RCPT TO', 550, '5.1.1 no'))).toBe(true);
    expect(dead(smtp('EENVELOPE', 'RCPT TO', 550, '5.7.1 no'))).toBe(false);
    expect(dead(smtp('EMESSAGE', 'DATA', 550, '5.1.1 no'))).toBe(false);
  });

  test('is stored without addresses', () => {
    const outcome = outcomeOf(new Error('no ada@example.com\r\nhere'), false);
    expect(outcome).toMatchObject({ errorMessage: 'no …@… here' });
  });
});

describe('a recipient', () => {
  const again = { result: 'again', errorCode: '451', errorMessage: 'later' } as const;

  test.for([
    [0, 'pending'],
    [1, 'pending'],
    [2, 'failed'],
  ] as const)('after %i attempts and a soft error is %s', ([attempts, status]) => {
    const settled = settle({ id: 'x', attempts }, again, [1_000, 5_000]);
    expect(settled.status).toBe(status);
    expect(settled.waitMs === null).toBe(status === 'failed');
  });

  test('with an unknown outcome stays unknown, whatever the attempt', () => {
    const unknown = { ...again, result: 'unknown' } as const;
    expect(settle({ id: 'x', attempts: 0 }, unknown, [1_000]).status).toBe('unknown');
  });

  test.for([
    ['has waits left', 1, true, false, 'again'],
    ['has none left', 2, true, false, 'stuck'],
    ['has none left, while others are reached', 2, true, true, 'again'],
    ['has none left, and was deferred by the server', 2, false, false, 'again'],
  ] as const)('that %s', ([, attempts, isUnreached, isReached, result]) => {
    const outcome = finalOutcome(
      { ...again, isUnreached },
      { attempts, isReached },
      [1_000, 5_000],
    );
    expect(outcome.result).toBe(result);
  });

  test('that was not tried has used no attempt', () => {
    const stuck = { ...again, result: 'stuck' } as const;
    expect(settle({ id: 'x', attempts: 0 }, stuck, [])).toMatchObject({
      status: 'pending',
      isAttempt: false,
    });
  });
});

describe('the token bucket', () => {
  test.for([1, 7, 20, 50, 333, 1_000])('keeps a rate of %i in every second', (rate) => {
    const bucket = openTokenBucket(rate, 0);
    const sent: number[] = [];
    for (let now = 0; now < 5_000; now += 3) {
      const room = bucket.room(now);
      bucket.take(room);
      sent.push(...Array.from({ length: room }, () => now));
    }
    const most = Math.max(
      ...sent.map((from) => sent.filter((at) => at >= from && at < from + 1_000).length),
    );
    expect(most).toBeLessThanOrEqual(Math.ceil(rate * 1.05) + 1);
    expect(sent.length).toBeGreaterThanOrEqual(Math.floor(rate * 5 * 0.98));
  });

  test('never runs backwards, and has no limit without a rate', () => {
    const bucket = openTokenBucket(10, 1_000);
    bucket.take(bucket.room(1_000));
    expect(bucket.room(0)).toBe(0);
    expect(bucket.waitMs(0)).toBe(100);
    expect(openTokenBucket(null, 0).room(0)).toBe(Infinity);
  });
});
