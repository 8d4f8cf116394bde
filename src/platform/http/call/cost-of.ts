import type { VisitorEndpoint } from '#core/endpoint/endpoint.ts';
import type { KeyedEndpoint } from '#core/endpoint/keyed-endpoint.ts';
import { Fault } from '#core/fault.ts';
import { checkedQuery } from './keyed.ts';

interface Costing {
  readonly params: Readonly<Record<string, string>>;
  readonly search: URLSearchParams;
  readonly now: Date;
}

/** Returns how many requests a call counts for. A malformed query is refused later, and counts once. */
export function costOf(
  endpoint: KeyedEndpoint | VisitorEndpoint,
  { params, search, now }: Costing,
): number {
  if (!endpoint.cost) {
    return 1;
  }
  try {
    return endpoint.cost(checkedQuery(endpoint, { search }), { params, now });
  } catch (error) {
    if (error instanceof Fault) {
      return 1;
    }
    throw error;
  }
}
