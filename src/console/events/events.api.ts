import { Type } from 'typebox';
import { defineConsoleEndpoint, isGranted, memberScope } from '#core/endpoint/console-endpoint.ts';
import { coversRole, type Role } from '#core/role.ts';
import { json } from '#core/schema/json.ts';
import * as s from '#core/schema/schema.ts';
import type { View } from '#core/work.ts';
import { eventRow } from '../../webhooks/feed/event-body.ts';
import {
  eventListQuery,
  listedEventSchema,
  listEvents,
  readEvent,
  type ReadEvent,
} from './list-events.ts';

const access = memberScope('webhooks:manage');

/** Stands in for the role that every caller with a sub-account has. */
const LEAST: Role = 'integrator';

const runSchema = s.response({
  id: s.uuid(),
  workflow: Type.String({ description: 'its slug', examples: ['welcome'] }),
  workflowName: Type.String({ examples: ['Welcome'] }),
});
interface StartedRun {
  readonly id: string;
  readonly workflow: string;
  readonly workflowName: string;
}

/** The events of the last 30 days, for people: newest first. */
export const eventEndpoints = (eventNames: readonly string[]) => [
  defineConsoleEndpoint({
    id: 'events.latest',
    method: 'GET',
    path: '/console/api/v1/events/latest',
    summary: 'List the events of the last 30 days, newest first',
    description: 'Without their bodies, and without events that are not published yet.',
    access,
    rate: 'read',
    paged: true,
    query: eventListQuery(eventNames),
    data: Type.Array(listedEventSchema),
    read: ({ view, query, after, caller }) =>
      listEvents(view, {
        query,
        after,
        withNames: isGranted(caller.role ?? LEAST, memberScope('contacts:read')),
      }),
  }),
  defineConsoleEndpoint({
    id: 'events.get',
    method: 'GET',
    path: '/console/api/v1/events/:id',
    summary: 'Get an event with its body and the runs that it started',
    access,
    rate: 'read',
    params: s.request({ id: s.uuid() }),
    assertExists: (view, { id }) => readEvent(view, id),
    data: s.response({
      id: s.uuid(),
      event: Type.String(),
      timestamp: s.isoTime(),
      data: Type.Object({}, { additionalProperties: true }),
      runs: Type.Array(runSchema, { description: 'for admins; empty for other members' }),
    }),
    async read({ view, params: { id }, caller }) {
      const event = await readEvent(view, id);
      const runs = coversRole(caller.role ?? LEAST, 'admin') ? await startedRuns(view, event) : [];
      return { data: json(`${eventRow(id, event).slice(0, -1)},"runs":${JSON.stringify(runs)}}`) };
    },
  }),
];

/** Returns the runs that an event started. A run that stands for a skipped event is left out. */
const startedRuns = (
  view: View,
  { position, contactId, occurredAt }: ReadEvent,
): Promise<StartedRun[]> =>
  view.rows<StartedRun>(contactId === null ? RUNS_WITHOUT_CONTACT : RUNS_OF_CONTACT, [
    view.subAccountId,
    position,
    occurredAt,
    ...(contactId === null ? [] : [contactId]),
  ]);

/** By the index of the runs of a contact. The clocks of two machines may differ. */
const runsWhere = (contact: string) => `select r.id, w.slug as workflow, w.name as "workflowName"
  from workflow_runs r
  join workflows w on w.sub_account_id = r.sub_account_id and w.id = r.workflow_id
  where r.sub_account_id = $1 and r.contact_id ${contact}
    and r.created_at >= $3::timestamptz - interval '1 hour' and r.since_position = $2
    and (r.error is null or r.error !~ '^(event skipped|workflows start each other)')
  order by r.id limit 20`;

const RUNS_OF_CONTACT = runsWhere('= $4');
const RUNS_WITHOUT_CONTACT = runsWhere('is null');
