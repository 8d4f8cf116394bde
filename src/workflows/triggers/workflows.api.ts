import { defineSignedEndpoint } from '#core/endpoint/signed-endpoint.ts';
import { Type } from 'typebox';
import * as s from '#core/schema/schema.ts';
import { key } from '#core/section.ts';
import { callVerifier } from './verify-call.ts';
import { receiveEvent, receiveTrigger } from './receive-call.ts';
import { eventBody, triggerBody } from '../definition/workflow.schema.ts';

const params = s.request({ slug: key() });

const data = s.response({
  ok: Type.Literal(true),
  triggered: Type.Integer({ minimum: 0, description: 'how many runs started or continued' }),
  skipped: Type.Optional(
    s.oneOf(['already_running', 'repeated'], {
      description:
        'present if `triggered` is 0 because the contact has an unfinished run, or because the call is a repeat. Absent if no `where` of a trigger fits the call, or no run waits for the event',
    }),
  ),
});

const SIGNED =
  "Signed in `X-Webhook-Signature: sha256=<hex>`, the HMAC-SHA256 of the raw body under the workflow's secret. A call with `X-Webhook-Timestamp` (epoch ms) counts once, and only within five minutes; sign `<timestamp>.<raw body>` in `X-Webhook-Signature-V2`, too. If several active workflows have the same slug, calls return 404.";

const signature = [
  {
    name: 'X-Webhook-Signature',
    description:
      'sha256= and the HMAC-SHA256 of the raw body under the secret of the workflow, in hex',
    isRequired: true,
  },
  {
    name: 'X-Webhook-Timestamp',
    description: 'epoch milliseconds; the call counts once, and only within five minutes',
  },
  {
    name: 'X-Webhook-Signature-V2',
    description: 'sha256= and the HMAC-SHA256 of `<timestamp>.<raw body>`, in hex',
  },
] as const;

const verifyTrigger = callVerifier('trigger', triggerBody);
const verifyEvent = callVerifier('event', eventBody);

/** Webhooks by which other systems start and continue runs. */
export const workflowEndpoints = [
  defineSignedEndpoint({
    id: 'workflows.trigger',
    method: 'POST',
    path: '/webhooks/workflow/:slug',
    summary: 'Start a run of a workflow',
    description: `Needs \`contactId\` or \`email\`. ${SIGNED} Creates a contact for an unknown email, which fires \`contact.created\`. Starting a run fires no event.`,
    limit: 'workflow',
    signature,
    params,
    body: triggerBody,
    bare: true,
    data,
    verify: verifyTrigger,
    receive: async ({ work, payload }) => ({
      data: { ok: true, ...(await receiveTrigger(work, payload)) },
    }),
  }),

  defineSignedEndpoint({
    id: 'workflows.event',
    method: 'POST',
    path: '/webhooks/event/:slug',
    summary: 'Signal an event to the runs of a workflow',
    description: `${SIGNED} Without \`contactId\`, every run gets the event. The event is remembered: if a run reaches a goal for it later, the run continues at once. Fires no event.`,
    limit: 'workflow',
    signature,
    params,
    body: eventBody,
    bare: true,
    data,
    verify: verifyEvent,
    receive: async ({ work, payload }) => ({
      data: { ok: true, ...(await receiveEvent(work, payload)) },
    }),
  }),
];
