import { everyStep } from './places.ts';
import { mapCalls } from './sealed-headers.ts';
import type { Step } from './workflow.schema.ts';

type Http = NonNullable<Step['http']>;
type GivenHeaders = Readonly<Record<string, string | null>>;

/**
 * Returns the steps of a file with the stored headers that it leaves out: they are secrets, which stay
 * as long as the method and the address of their call do. `null` removes one.
 */
export function withKeptHeaders(given: readonly Step[], stored: readonly Step[]): readonly Step[] {
  const calls = everyStep(stored).flatMap(({ step }) => step.http ?? []);
  return mapCalls(given, (http) => {
    const at = calls.findIndex((call) => isSameCall(call, http));
    // Two calls of one address keep the headers that each of them has.
    const [before] = at < 0 ? [] : calls.splice(at, 1);
    const headers = mergedHeaders(before?.headers ?? {}, http.headers ?? {});
    const { headers: _, ...call } = http;
    return Object.keys(headers).length > 0 ? { ...call, headers } : call;
  });
}

const isSameCall = (a: Http, b: Http): boolean =>
  a.url === b.url && (a.method ?? 'POST') === (b.method ?? 'POST');

/** Names are compared without case; the spelling of the file wins. */
function mergedHeaders(stored: Readonly<Record<string, string>>, given: GivenHeaders) {
  const named = new Set(Object.keys(given).map((name) => name.toLowerCase()));
  const kept = Object.entries(stored).filter(([name]) => !named.has(name.toLowerCase()));
  const set = Object.entries(given).filter(([, value]) => value !== null);
  return Object.fromEntries([...set, ...kept]) as Readonly<Record<string, string>>;
}
