import { Type, type Static } from 'typebox';
import { defineKeyedEndpoint, scope } from '#core/endpoint/keyed-endpoint.ts';
import type { Reply } from '#core/endpoint/reply.ts';
import { invalid, invalidField } from '#core/fault.ts';
import * as s from '#core/schema/schema.ts';
import type { Work } from '#core/work.ts';
import { createOpportunity } from '../opportunities/create-opportunity.ts';
import { moveOpportunity } from '../opportunities/move-opportunity.ts';
import {
  opportunityCreate,
  opportunitySchema,
  statusChange,
} from '../opportunities/opportunity.schema.ts';
import { theOpportunity } from '../opportunities/opportunity.store.ts';
import { setOpportunityStatus } from '../opportunities/set-opportunity-status.ts';
import { updateOpportunity } from '../opportunities/update-opportunity.ts';

const { pipelineId, contactId, name, ...optional } = opportunityCreate.properties;

const deal = s.request({
  opportunityId: Type.Optional(s.uuid()),
  contactId: Type.Optional(contactId),
  name: Type.Optional(name),
  pipelineId: Type.Optional(pipelineId),
  ...optional,
  status: Type.Optional(statusChange.properties.status),
  lostReason: statusChange.properties.lostReason,
});
type Deal = Static<typeof deal>;

/** In the API, the stage and the status of a deal have endpoints of their own. */
export const dealEndpoint = defineKeyedEndpoint({
  id: 'opportunities.save',
  method: 'POST',
  path: '/mcp/deals',
  summary: 'Create or change a deal',
  access: scope('opportunities:write'),
  rate: 'write',
  agent: {
    tool: 'save_deal',
    does: 'Creates a deal. run_action pipelines.list returns pipelines and stages. With opportunityId, changes it: its stage, value or status (won, lost).',
  },
  body: deal,
  data: opportunitySchema,
  status: 201,
  otherStatus: 200,
  write: ({ work, body: { opportunityId, ...given } }) =>
    opportunityId === undefined ? create(work, given) : change(work, opportunityId, given),
});

type DealFields = Omit<Deal, 'opportunityId'>;

async function create(work: Work, given: DealFields): Promise<Reply> {
  const { status, lostReason, ...fields } = given;
  if (status !== undefined || lostReason !== undefined) {
    throw invalidField('/status', 'is for a deal that exists: a new deal is open');
  }
  const { contactId: contact, pipelineId: pipeline, name: title } = fields;
  if (contact === undefined || pipeline === undefined || title === undefined) {
    const missing = (['contactId', 'pipelineId', 'name'] as const).filter(
      (field) => fields[field] === undefined,
    );
    throw invalid(
      missing.map((field) => ({ in: 'body', path: `/${field}`, message: 'is required' })),
    );
  }
  const { record } = await createOpportunity(work, {
    ...fields,
    contactId: contact,
    pipelineId: pipeline,
    name: title,
  });
  return { data: record };
}

async function change(work: Work, id: string, given: DealFields): Promise<Reply> {
  const { status, lostReason, stageId, pipelineId: pipeline, ...fields } = given;
  if (pipeline !== undefined) {
    throw invalidField('/pipelineId', 'cannot be changed; create another deal');
  }
  await updateOpportunity(work, id, fields);
  if (stageId !== undefined) {
    await moveOpportunity(work, id, stageId);
  }
  if (status !== undefined) {
    await setOpportunityStatus(work, id, {
      status,
      ...(lostReason !== undefined && { lostReason }),
    });
  } else if (lostReason !== undefined) {
    throw invalidField('/lostReason', 'is allowed only with the status lost');
  }
  return { status: 200, data: theOpportunity(id) };
}
