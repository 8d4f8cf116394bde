import { takeStep } from '../../src/workflows/runs/advance-run.ts';
import type { TestService } from '../support/service.ts';
import { applyTo, runsIn, secretOf, signed, workflowOf } from './workflows.support.ts';

export const slugOf = (service: TestService) => `flow-${service.subAccountId}`;

export const STEPS = [{ goal: { event: 'paid' } }, { addTag: 'paid' }];

/** A workflow with a signing secret, and functions that call it. */
export async function setUp(
  service: TestService,
  over: object = {},
  steps: readonly object[] = STEPS,
) {
  const slug = slugOf(service);
  await applyTo(service, service.subAccountId, workflowOf(steps, { slug, ...over }));
  const secret = await secretOf(service, service.subAccountId, slug);
  const post = (kind: 'workflow' | 'event', body: unknown, headers: object = {}) => {
    const raw = typeof body === 'string' ? body : JSON.stringify(body);
    return service.call(`POST /webhooks/${kind}/${slug}`, {
      key: null,
      raw,
      headers: { 'x-webhook-signature': signed(secret, raw), ...headers },
    });
  };
  const runs = () => runsIn(service, service.subAccountId);
  /** Takes one step of each run, as a worker does. */
  const step = async () => {
    for (const { id } of await runs()) {
      await service.transact(service.subAccountId, service.actor, (work) => takeStep(work, id, {}));
    }
  };
  return { slug, secret, post, runs, step };
}

export const outcome = ({ status, body }: { status: number; body: any }) => [
  status,
  body.error?.code ?? body,
];
