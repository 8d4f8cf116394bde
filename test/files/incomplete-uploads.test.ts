import { FILES_MAX_BYTES } from '../support/files.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';
import { head, openWire, type Wire } from '../support/wire.ts';

/** More than the budget of incomplete bodies takes, 128 MiB. */
const UPLOADS = 80;

const LINE = 'POST /api/v1/files?name=notes.txt';
const headers = (service: TestService, key: 'full' | 'other') => ({
  authorization: `Bearer ${service.keys[key]}`,
  'content-type': 'text/plain',
  'content-length': FILES_MAX_BYTES,
});

/** Sends a file without its last byte. */
async function upload(service: TestService, key: 'full' | 'other'): Promise<Wire> {
  const wire = await openWire(service.url);
  wire.send(head(LINE, headers(service, key)));
  wire.send(Buffer.alloc(FILES_MAX_BYTES - 1, 'a'));
  return wire;
}

async function finish(wire: Wire): Promise<number> {
  wire.send('a');
  const { status } = await wire.answer();
  return status;
}

describe('uploads that do not end', () => {
  test('are refused once a sub-account has too many; those of others are taken', async ({
    service,
  }) => {
    const slow: Wire[] = [];
    for (let sent = 0; sent < UPLOADS; sent += 1) {
      slow.push(await upload(service, 'full'));
    }
    // One of them is refused without having ended.
    const refused = await Promise.race(slow.map((wire) => wire.answer()));
    expect([refused.status, JSON.parse(refused.text).error.code]).toEqual([
      503,
      'SERVICE_UNAVAILABLE',
    ]);
    expect(refused.headers['retry-after']).toBe('10');
    const other = await upload(service, 'other');
    expect(await finish(other)).toBe(201);
    for (const wire of [...slow, other]) {
      wire.hangUp();
    }
  });

  test('leave room again when their senders hang up', async ({ service }) => {
    for (let round = 0; round < 3; round += 1) {
      const slow = await Promise.all(
        Array.from({ length: UPLOADS / 2 }, () => upload(service, 'full')),
      );
      for (const wire of slow) {
        wire.hangUp();
      }
    }
    const last = await upload(service, 'full');
    expect(await finish(last)).toBe(201);
    last.hangUp();
  });
});
