import type { LookupAddress } from 'node:dns';
import { setImmediate as nextTick } from 'node:timers/promises';
import type { OutboundAnswer, OutboundFailure, OutboundRequest } from '#core/outbound.ts';

/** A request with the defaults of most tests. */
export const requestTo = (url: string, more: Partial<OutboundRequest> = {}): OutboundRequest => ({
  subAccountId: 'a',
  url,
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: '{"a":1}',
  timeoutMs: 10_000,
  readMaxBytes: 20_000,
  isRepeatable: true,
  ...more,
});

export function answered(outcome: OutboundAnswer | OutboundFailure): OutboundAnswer {
  if ('failure' in outcome) {
    throw new Error(`no response: ${outcome.failure}`);
  }
  return outcome;
}

export const at = (...addresses: string[]): LookupAddress[] =>
  addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

/** A connection is free one tick after its response; an earlier request would open another one. */
export const connectionsAreFree = (): Promise<void> => nextTick();
