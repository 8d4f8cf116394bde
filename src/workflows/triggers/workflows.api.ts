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
  triggered: Type.Integer({ minimum: 0, description: 'how many runs began, or went on' }),
});

const SIGNED =
  "Signed in `X-Webhook-Signature: sha256=<hex>`, the HMAC-SHA256 of the raw body under the workflow's secret. With `X-Webhook-Timestamp` (epoch ms) a call counts once, and within five minutes only; `X-Webhook-Signature-V2` then signs `<timestamp>.<raw body>`. An address that several active workflows share is nobody's.";

const verifyTrigger = callVerifier('trigger', triggerBody);
const verifyEvent = callVerifier('event', eventBody);

/** Webhooks by which other systems start and continue runs. */
export const workflowEndpoints = [
  defineSignedEndpoint({
    id: 'workflows.trigger',
    method: 'POST',
    path: '/webhooks/workflow/:slug',
    summary: 'Begin a run of a workflow',
    description: SIGNED,
    limit: 'workflow',
    params,
    body: triggerBody,
    bare: true,
    data,
    verify: verifyTrigger,
    receive: async ({ work, payload }) => ({
      data: { ok: true, triggered: await receiveTrigger(work, payload) },
    }),
  }),

  defineSignedEndpoint({
    id: 'workflows.event',
    method: 'POST',
    path: '/webhooks/event/:slug',
    summary: 'Tell the runs of a workflow that something happened',
    description: `${SIGNED} Without \`contactId\` it is for every run. A run that comes to such a goal later will have had it.`,
    limit: 'workflow',
    params,
    body: eventBody,
    bare: true,
    data,
    verify: verifyEvent,
    receive: async ({ work, payload }) => ({
      data: { ok: true, triggered: await receiveEvent(work, payload) },
    }),
  }),
];
