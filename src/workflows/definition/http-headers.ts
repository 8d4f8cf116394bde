import { Fault } from '#core/fault.ts';
import type { Secrets } from '#core/secrets.ts';
import type { SectionTools } from '#core/section.ts';
import { everyStep } from './places.ts';
import type { Step } from './workflow.schema.ts';

/* oxlint-disable unicorn/no-thenable -- contract 8 names a branch of a step `then` */

type Headers = Readonly<Record<string, string>>;
type Http = NonNullable<Step['http']>;

/** An http step as it is stored: its headers usually hold tokens, so they are sealed. */
interface StoredHttp extends Omit<Http, 'headers'> {
  readonly sealedHeaders?: string;
}

const placeOf = (workflowId: string): string => `workflows/${workflowId}/headers`;

/** Returns the steps as they are stored. Throws if there are headers and no secret key. */
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
        'workflows: an http step has headers, which are stored encrypted: set FRONTDESK_SECRET_KEY',
      );
    }
    const sealed = secrets.seal(JSON.stringify(headers), placeOf(workflowId));
    return { ...http, sealedHeaders: sealed.toString('base64') };
  });

/** Returns the steps as they were written; without headers if there is no secret key. */
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

/** Changes every http step, including those in branches. */
const mapCalls = (steps: readonly Step[], change: (http: Http) => Http): readonly Step[] =>
  steps.map((step) => ({
    ...step,
    ...(step.http && { http: change(step.http) }),
    ...(step.then && { then: mapCalls(step.then, change) }),
    ...(step.else && { else: mapCalls(step.else, change) }),
  }));

export const hasSealedHeaders = (steps: readonly Step[]): boolean =>
  everyStep(steps).some(({ step: { http } }) => http !== undefined && 'sealedHeaders' in http);

type HeadersInput = Readonly<Record<string, string | null>>;

/**
 * Returns the steps of a manifest with the stored headers that it leaves out. Headers are secrets: they
 * stay as long as the method and URL of their step stay the same. `null` removes a header.
 */
export function withStoredHeaders(
  steps: readonly Step[],
  stored: readonly Step[],
): readonly Step[] {
  const calls = everyStep(stored).flatMap(({ step }) => step.http ?? []);
  return mapCalls(steps, (http) => {
    const at = calls.findIndex((call) => isSameCall(call, http));
    // Each stored step is used once: two steps with the same URL keep their own headers.
    const [before] = at < 0 ? [] : calls.splice(at, 1);
    const headers = mergedHeaders(before?.headers ?? {}, http.headers ?? {});
    const { headers: _, ...call } = http;
    return Object.keys(headers).length > 0 ? { ...call, headers } : call;
  });
}

const isSameCall = (a: Http, b: Http): boolean =>
  a.url === b.url && (a.method ?? 'POST') === (b.method ?? 'POST');

/** Compares names without case. The spelling of the manifest wins. */
function mergedHeaders(stored: Readonly<Record<string, string>>, input: HeadersInput) {
  const named = new Set(Object.keys(input).map((name) => name.toLowerCase()));
  const rest = Object.entries(stored).filter(([name]) => !named.has(name.toLowerCase()));
  const set = Object.entries(input).filter(([, value]) => value !== null);
  return Object.fromEntries([...set, ...rest]) as Readonly<Record<string, string>>;
}
