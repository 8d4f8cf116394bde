/* oxlint-disable unicorn/no-thenable -- a branch of a step is called so (contract 8) */
import { Fault } from '#core/fault.ts';
import type { Secrets } from '#core/secrets.ts';
import type { SectionTools } from '#core/section.ts';
import { everyStep } from './places.ts';
import type { Step } from './workflow.schema.ts';

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
export const mapCalls = (steps: readonly Step[], change: (http: Http) => Http): readonly Step[] =>
  steps.map((step) => ({
    ...step,
    ...(step.http && { http: change(step.http) }),
    ...(step.then && { then: mapCalls(step.then, change) }),
    ...(step.else && { else: mapCalls(step.else, change) }),
  }));

export const hasSealedHeaders = (steps: readonly Step[]): boolean =>
  everyStep(steps).some(({ step: { http } }) => http !== undefined && 'sealedHeaders' in http);
