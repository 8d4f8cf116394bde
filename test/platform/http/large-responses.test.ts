import { EventEmitter } from 'node:events';
import { beforeEach, describe, expect, test } from 'vitest';
import { limitLarge } from '#platform/http/large-responses.ts';

const LARGE = { status: 200, text: 'x'.repeat(2_000_000) };
const SMALL = { status: 200, text: 'x'.repeat(200_000) };
/** Half of the places: a sub-account leaves as many free as it takes. */
const SHARE = 16;

let sent: EventEmitter;

beforeEach(() => {
  sent = new EventEmitter();
  sent.setMaxListeners(2 * SHARE);
});

const send = (response: typeof LARGE, subAccountId: string, node: object = sent, method = 'GET') =>
  limitLarge(response, subAccountId, { method, runtime: { node: { res: node } } as never });

describe('large responses', () => {
  test('of one sub-account leave places to others, and are counted until they are sent', () => {
    for (let n = 0; n < SHARE; n += 1) {
      send(LARGE, 'a');
    }
    const refusal = expect.objectContaining({
      code: 'SERVICE_UNAVAILABLE',
      headers: { 'retry-after': '1' },
    });
    expect(() => send(LARGE, 'a')).toThrow(refusal);
    expect(send(SMALL, 'a')).toBe(SMALL);
    expect(send(LARGE, 'b')).toBe(LARGE);
    // Its change is committed: the caller of a refused one would repeat it.
    expect(send(LARGE, 'a', sent, 'POST')).toBe(LARGE);

    sent.emit('close');
    expect(send(LARGE, 'a')).toBe(LARGE);
    sent.emit('close');
  });

  test('take no place if the client has left', () => {
    const left = Object.assign(new EventEmitter(), { destroyed: true });
    for (let n = 0; n <= SHARE; n += 1) {
      send(LARGE, 'a', left);
    }
    expect(left.listenerCount('close')).toBe(0);
    expect(send(LARGE, 'a')).toBe(LARGE);
    sent.emit('close');
  });
});
