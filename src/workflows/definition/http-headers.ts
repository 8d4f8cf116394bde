import { Fault } from '#core/fault.ts';
import type { Secrets } from '#core/secrets.ts';
import type { SectionTools } from '#core/section.ts';
import { everyStep } from './places.ts';
import type { Step } from './workflow.schema.ts';

/* oxlint-disable unicorn/no-thenable -- a branch of a step is called so (contract 8) */

type Headers = Readonly<Record<string, string>>;
type Http = NonNullable<Step['http']>;

/** A call as it is stored: its headers carry tokens, more often than not. */
interface StoredHttp extends Omit<Http, 'headers'> {
  readonly sealedHeaders?: string;
}

const placeOf = (workflowId: string): string => `workflows/${workflowId}/headers`;

/** The steps as they are stored. */
export const withSealedHeaders = (
  steps: readonly Step[],
  workflowId: string,
  { secrets }: SectionTools,
): readonly Step[] =>
  mapCalls(steps, ({ headers, ...http }) => {
    if (headers === undefined) {
      return http;
    }
    if (!secrets) {
      throw new Fault(
        'VALIDATION_ERROR',
        'workflows: a call has headers, and FRONTDESK_SECRET_KEY is not set, which seals them',
      );
    }
    const sealed = secrets.seal(JSON.stringify(headers), placeOf(workflowId));
    return { ...http, sealedHeaders: sealed.toString('base64') };
  });

/** The steps as they were written; without headers where no secret is opened. */
export const withOpenedHeaders = (
  steps: readonly Step[],
  workflowId: string,
  { secrets }: SectionTools,
): readonly Step[] =>
  mapCalls(steps, (stored: StoredHttp) => {
    const { sealedHeaders, ...http } = stored;
    const headers = secrets && openedHeaders(stored, workflowId, secrets);
    return { ...http, ...(headers && sealedHeaders !== undefined && { headers }) };
  });

export const openedHeaders = (
  { sealedHeaders }: StoredHttp,
  workflowId: string,
  secrets: Secrets,
): Headers =>
  sealedHeaders === undefined
    ? {}
    : (JSON.parse(
        secrets.open(Buffer.from(sealedHeaders, 'base64'), placeOf(workflowId)),
      ) as Headers);

/** Returns the steps with every call changed, those of branches included. */
const mapCalls = (steps: readonly Step[], change: (http: Http) => Http): readonly Step[] =>
  steps.map((step) => ({
    ...step,
    ...(step.http && { http: change(step.http) }),
    ...(step.then && { then: mapCalls(step.then, change) }),
    ...(step.else && { else: mapCalls(step.else, change) }),
  }));

export const hasSealedHeaders = (steps: readonly Step[]): boolean =>
  everyStep(steps).some(({ step: { http } }) => http !== undefined && 'sealedHeaders' in http);

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
