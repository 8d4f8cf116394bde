import { Type } from 'typebox';
import { defineConsoleEndpoint, memberRole } from '#core/endpoint/console-endpoint.ts';
import { pageQuery, pageSize } from '#core/endpoint/paging.ts';
import { invalidField, orNotFound } from '#core/fault.ts';
import * as s from '#core/schema/schema.ts';
import type { View } from '#core/work.ts';
import {
  findWorkflows,
  withoutHeaders,
  type WorkflowRow,
} from '../workflows/definition/find-workflows.ts';
import { RUN_STATUSES } from '../workflows/definition/workflow.schema.ts';
import { cancelRun, cancelRuns, CANCELLED_MAX } from '../workflows/runs/cancel-runs.ts';
import { dryRunForContact } from '../workflows/runs/dry-run.ts';
import { OPTED_OUT } from '../workflows/steps/check-send.ts';
import { withRecords } from '../workflows/runs/log-records.ts';
import { findRunLog, findRuns, type RunRow } from '../workflows/runs/find-runs.ts';

const definitions = Type.Array(Type.Record(Type.String(), Type.Unknown()), {
  description: 'as in the manifest',
});
const workflow = s.response({
  id: s.uuid(),
  slug: Type.String({ examples: ['new-lead'] }),
  name: Type.String({ examples: ['New lead'] }),
  active: Type.Boolean(),
  reenter: Type.Boolean(),
  createContact: Type.Boolean(),
  hasSecret: Type.Boolean(),
  triggers: definitions,
  steps: definitions,
  versionId: s.uuid(),
  running: Type.Integer(),
  waiting: Type.Integer(),
  createdAt: s.isoTime(),
  updatedAt: s.isoTime(),
});

const runRow = {
  id: s.uuid(),
  workflow: Type.String({ description: 'the slug of the workflow', examples: ['new-lead'] }),
  contactId: s.nullable(s.uuid()),
  contactName: s.nullable(Type.String({ examples: ['Ada Lovelace'] })),
  status: s.oneOf(RUN_STATUSES),
  trigger: Type.String({ examples: ['contact.created'] }),
  place: Type.String({ description: 'the next step, as a JSON pointer', examples: ['/0'] }),
  dueAt: s.nullable(s.isoTime()),
  waitingFor: s.nullable(Type.String()),
  error: s.nullable(Type.String()),
  createdAt: s.isoTime(),
  finishedAt: s.nullable(s.isoTime()),
};
const run = s.response({
  ...runRow,
  log: Type.Array(
    s.response({
      place: Type.String({ examples: ['/0'] }),
      step: Type.String({ examples: ['email'] }),
      outcome: Type.String(),
      detail: s.nullable(Type.String()),
      record: s.nullable(
        s.response({
          type: s.oneOf(['message', 'opportunity', 'task']),
          id: s.uuid(),
          withinId: s.nullable(
            s.uuid({
              description: 'the conversation of a message, the pipeline of an opportunity',
            }),
          ),
        }),
      ),
      at: s.isoTime(),
    }),
  ),
});

async function readWorkflow(view: View, slug: string): Promise<WorkflowRow> {
  const [found] = await findWorkflows(view, slug);
  return orNotFound(found, 'workflow');
}

async function readRun(view: View, id: string): Promise<RunRow> {
  const [found] = await findRuns(view, { id, limit: 1 });
  return orNotFound(found, 'run');
}

const withLog = async (view: View, id: string) => ({
  ...(await readRun(view, id)),
  log: await withRecords(view, await findRunLog(view, id)),
});

const SLUG_MAX = 200;
/** As many as a page of the list has at most. */
const RUN_IDS_MAX = 100;
const ofWorkflow = {
  params: s.request({ slug: Type.String({ minLength: 1, maxLength: SLUG_MAX }) }),
  assertExists: (view: View, { slug }: { readonly slug: string }) => readWorkflow(view, slug),
};
const ofRun = {
  params: s.request({ id: s.uuid() }),
  assertExists: (view: View, { id }: { readonly id: string }) => readRun(view, id),
};
const admin = memberRole('admin');

/** The workflows of the sub-account and their runs. */
export const workflowEndpoints = [
  defineConsoleEndpoint({
    id: 'workflows.list',
    method: 'GET',
    path: '/console/api/v1/workflows',
    summary: 'List workflows with their running and waiting counts',
    description: 'By slug. Headers of HTTP steps are left out: they often contain tokens.',
    access: admin,
    rate: 'read',
    data: Type.Array(workflow),
    read: async ({ view }) => ({ data: (await findWorkflows(view)).map(withoutHeaders) }),
  }),
  defineConsoleEndpoint({
    id: 'workflows.runs',
    method: 'GET',
    path: '/console/api/v1/workflows/:slug/runs',
    summary: 'List the runs of a workflow, newest first',
    access: admin,
    rate: 'read',
    paged: true,
    ...ofWorkflow,
    query: s.request({
      ...pageQuery,
      status: Type.Optional(s.oneOf(RUN_STATUSES)),
      contactId: Type.Optional(s.uuid()),
    }),
    data: Type.Array(s.response(runRow)),
    async read({ view, params: { slug }, query, after: before }) {
      await readWorkflow(view, slug);
      const size = pageSize(query);
      const { status, contactId } = query;
      const rows = await findRuns(view, { slug, status, contactId, before, limit: size + 1 });
      const page = rows.slice(0, size);
      return { data: page, next: rows.length > size ? (page.at(-1)?.id ?? null) : null };
    },
  }),
  defineConsoleEndpoint({
    id: 'workflows.dry-run',
    method: 'POST',
    path: '/console/api/v1/workflows/:slug/dry-run',
    summary: 'List the steps that a run would take for a contact',
    description: 'Nothing is changed or sent.',
    access: admin,
    rate: 'read',
    ...ofWorkflow,
    body: s.request({ contactId: s.uuid() }),
    data: s.response({
      workflow: Type.String({ examples: ['new-lead'] }),
      contactId: s.uuid(),
      steps: Type.Array(
        s.response({
          place: Type.String({ examples: ['/0'] }),
          step: Type.String({ examples: ['wait'] }),
          at: s.isoTime({ description: 'if every goal times out' }),
          says: Type.String({ examples: ['until 2026-12-01T09:00:00.000Z'] }),
          arguments: Type.Unknown({
            description: 'as in the manifest, with the merge fields of the contact filled',
          }),
          until: s.nullable(s.isoTime({ description: 'the end of a wait' })),
          branch: s.nullable(s.oneOf(['then', 'else'], { description: 'of a condition' })),
          outcome: s.nullable(
            s.oneOf(['skipped', 'failed'], {
              description: 'of a `send` step that would send nothing',
            }),
          ),
          detail: s.nullable(
            Type.String({
              description: 'why it would send nothing, as in the log of a run',
              examples: [OPTED_OUT],
            }),
          ),
        }),
      ),
    }),
    async read({ view, params: { slug }, body: { contactId } }) {
      const found = await readWorkflow(view, slug);
      const steps = await dryRunForContact(view, found, contactId);
      return { data: { workflow: slug, contactId, steps } };
    },
  }),
  defineConsoleEndpoint({
    id: 'runs.get',
    method: 'GET',
    path: '/console/api/v1/runs/:id',
    summary: 'Get a run with its log',
    access: admin,
    rate: 'read',
    ...ofRun,
    data: run,
    read: async ({ view, params: { id } }) => ({ data: await withLog(view, id) }),
  }),
  defineConsoleEndpoint({
    id: 'runs.cancel',
    method: 'POST',
    path: '/console/api/v1/runs/:id/cancel',
    summary: 'Cancel an unfinished run',
    description: 'A finished run returns 404.',
    access: admin,
    rate: 'write',
    ...ofRun,
    bodyOptional: true,
    data: run,
    async write({ work, params: { id } }) {
      await cancelRun(work, id);
      return { data: async (view: View) => (await withLog(view, id)) as never };
    },
  }),
  defineConsoleEndpoint({
    id: 'runs.cancel-many',
    method: 'POST',
    path: '/console/api/v1/runs/cancel',
    summary: 'Cancel many unfinished runs',
    description: `Either the runs of \`runIds\`, or the runs of \`workflow\` that wait: ${CANCELLED_MAX} per call, oldest first; repeat it while \`remaining\` is above 0.`,
    access: admin,
    rate: 'write',
    body: s.request({
      runIds: Type.Optional(
        Type.Array(s.uuid(), { minItems: 1, maxItems: RUN_IDS_MAX, uniqueItems: true }),
      ),
      workflow: Type.Optional(
        Type.String({ minLength: 1, maxLength: SLUG_MAX, description: 'the slug of a workflow' }),
      ),
    }),
    data: s.response({
      cancelled: Type.Integer({ minimum: 0 }),
      notCancelled: Type.Array(s.uuid(), {
        description: 'runs of `runIds` that had ended before, or are unknown',
      }),
      remaining: Type.Integer({ minimum: 0, description: 'runs of `workflow` that still wait' }),
    }),
    async write({ work, body: { runIds, workflow: slug } }) {
      if ((runIds === undefined) === (slug === undefined)) {
        throw invalidField('', 'needs either runIds or workflow');
      }
      if (slug !== undefined) {
        await readWorkflow(work, slug);
      }
      const selection = runIds === undefined ? { workflow: slug ?? '' } : { runIds };
      const { cancelled, ...rest } = await cancelRuns(work, selection);
      return { data: { cancelled: cancelled.length, ...rest } };
    },
  }),
];
