import { describe, expect, test } from '../../support/service.ts';
import { managed, pageOf, send } from './page.support.ts';

const LONG = 'x'.repeat(70_000);

describe('a choice that is too long for a URL', () => {
  test('is refused by every form, and changes nothing', async ({ service }) => {
    const { path } = await managed(service);
    await service.events();
    for (const [to, form] of [
      [`${path}/cancel`, { tz: LONG }],
      [`${path}/move`, { tz: LONG, start: '1' }],
      [`${path}/move`, { tz: 'UTC', start: LONG }],
      [pageOf(service), { tz: LONG, start: '1' }],
      [pageOf(service), { once: LONG, start: '1' }],
    ] as const) {
      const { status, headers } = await send(service, to, form);
      expect([to, status, headers.get('location')]).toEqual([to, 400, null]);
    }
    expect(await service.eventNames()).toEqual([]);
  });
});
