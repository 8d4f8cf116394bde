import type { Endpoint } from '#kit/endpoint.ts';
import { Fault } from '#kit/fault.ts';
import { checkedQuery } from './call.ts';

/** How many requests a call counts for. What is wrong with its query is said later, and counts once. */
export function costOf(endpoint: Endpoint, search: URLSearchParams): number {
  if (!endpoint.cost) {
    return 1;
  }
  try {
    return endpoint.cost(checkedQuery(endpoint, { search }));
  } catch (error) {
    if (error instanceof Fault) {
      return 1;
    }
    throw error;
  }
}
