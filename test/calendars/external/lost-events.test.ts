import { expect, test } from 'vitest';
import type { OutboundRequest } from '#core/outbound.ts';
import type { View } from '#core/work.ts';
import type { ExternalSetup } from '../../../src/calendars/external/external-setup.ts';
import { findLostEvents } from '../../../src/calendars/external/lost-events.ts';

const EVENTS = 50;
const TIMEOUT_MS = 300;

test('a server that does not respond gets requests for some events only', async () => {
  const events = Array.from({ length: EVENTS }, (_, n) => {
    return { appointmentId: String(n), url: `http://dav.example/${n}.ics` };
  });
  const view = { subAccountId: '', now: new Date(), rows: async () => events } as unknown as View;
  let requests = 0;
  const outbound = {
    refusal: async () => undefined,
    close: async () => undefined,
    async send({ signal, timeoutMs }: OutboundRequest) {
      if (!signal?.aborted) {
        requests += 1;
        await new Promise((resolve) => setTimeout(resolve, timeoutMs));
      }
      return { failure: 'it did not respond', wasSent: true };
    },
  };
  const setup = { memberId: '', url: 'http://dav.example/', validators: {} } as ExternalSetup;
  const { signal } = new AbortController();
  const options = { outbound, subAccountId: 'a', signal, timeoutMs: TIMEOUT_MS };
  expect(await findLostEvents(view, setup, new Set(), options)).toEqual([]);
  expect(requests).toBeLessThan(EVENTS / 2);
});
