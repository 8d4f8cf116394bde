// Written by `node sdk/generate.ts` from the declarations in src/.
import type { Api } from '../api.ts';
import { iterateList } from '../iterate.ts';
import type { CallOptions } from '../options.ts';
import { path } from '../path.ts';
import type { Deleted, OpportunityStatus, PageMeta } from './shared.ts';

export interface Opportunity {
  id: string;
  pipelineId: string;
  stageId: string;
  contactId: string;
  name: string;
  value: number | null;
  currency: string;
  status: OpportunityStatus;
  assignedTo: string | null;
  tags: string[];
  source: string | null;
  /** epoch ms */
  expectedCloseDate: number | null;
  lostReason: string | null;
  customFields: Record<string, string | number | boolean>;
  /** epoch ms */
  closedAt: number | null;
  createdAt: string;
  updatedAt: string;
}

export interface OpportunitiesListQuery {
  limit?: number | undefined;
  cursor?: string | undefined;
  pipelineId?: string | undefined;
  stageId?: string | undefined;
  contactId?: string | undefined;
  status?: OpportunityStatus | undefined;
  assignedTo?: string | undefined;
  search?: string | undefined;
  tags?: string | readonly string[] | undefined;
  updatedAfter?: string | undefined;
}

export interface OpportunitiesCreateBody {
  contactId: string;
  name: string;
  value?: number | null | undefined;
  currency?: string | undefined;
  assignedTo?: string | null | undefined;
  tags?: readonly string[] | undefined;
  source?: string | null | undefined;
  /** epoch ms, or ISO 8601 with an offset */
  expectedCloseDate?: number | string | null | undefined;
  customFields?: Readonly<Record<string, string | number | boolean | null>> | null | undefined;
  pipelineId: string;
  /** default: the pipeline's first stage */
  stageId?: string | undefined;
}

export interface OpportunitiesUpdateBody {
  contactId?: string | undefined;
  name?: string | undefined;
  value?: number | null | undefined;
  currency?: string | undefined;
  assignedTo?: string | null | undefined;
  tags?: readonly string[] | undefined;
  source?: string | null | undefined;
  /** epoch ms, or ISO 8601 with an offset */
  expectedCloseDate?: number | string | null | undefined;
  customFields?: Readonly<Record<string, string | number | boolean | null>> | null | undefined;
  /** is set by PUT /api/v1/opportunities/{id}/status */
  status?: never;
  /** is set by PUT /api/v1/opportunities/{id}/status */
  lostReason?: never;
  /** is set by PUT /api/v1/opportunities/{id}/stage */
  stageId?: never;
  /** cannot be changed; create another opportunity with POST /api/v1/opportunities */
  pipelineId?: never;
}

export interface OpportunitiesMoveBody {
  stageId: string;
}

export interface OpportunitiesSetStatusBody {
  status: OpportunityStatus;
  lostReason?: string | null | undefined;
}

export const opportunities = (api: Api) => ({
  /**
   * List opportunities, newest first.
   *
   * `search` finds substrings of the name, ignoring case and accents. `tags=a,b` requires both
   * tags. `updatedAfter` (ISO 8601, exclusive) filters by the last change.
   *
   * Scope: `opportunities:read`.
   */
  list: (query: OpportunitiesListQuery = {}, options?: CallOptions) =>
    api.answer<Opportunity[], PageMeta>('GET', path`/api/v1/opportunities`, { query, options }),

  /** Iterates over all of `list`, page by page. */
  iterate: (query: OpportunitiesListQuery = {}, options?: CallOptions) =>
    iterateList<Opportunity, PageMeta>(api, path`/api/v1/opportunities`, query, options),

  /**
   * Get one opportunity.
   *
   * Scope: `opportunities:read`.
   */
  get: (id: string, options?: CallOptions) =>
    api.data<Opportunity>('GET', path`/api/v1/opportunities/${id}`, { options }),

  /**
   * Create an opportunity.
   *
   * The status is `open`. By default the opportunity gets the pipeline's first stage and the
   * sub-account's currency. Fires `opportunity.created` only.
   *
   * Scope: `opportunities:write`.
   */
  create: (body: OpportunitiesCreateBody, options?: CallOptions) =>
    api.data<Opportunity>('POST', path`/api/v1/opportunities`, { body, options }),

  /**
   * Change the given fields of an opportunity.
   *
   * `customFields` are merged by key, and null removes a value. `tags` are replaced. Status and
   * stage have their own endpoints; the pipeline cannot be changed. Fires
   * `opportunity.updated`, or nothing if nothing differs.
   *
   * Scope: `opportunities:write`.
   */
  update: (id: string, body: OpportunitiesUpdateBody, options?: CallOptions) =>
    api.data<Opportunity>('PATCH', path`/api/v1/opportunities/${id}`, { body, options }),

  /**
   * Move an opportunity to another stage of its pipeline.
   *
   * Fires `opportunity.stage_changed`, or nothing if the opportunity is already in that stage.
   *
   * Scope: `opportunities:write`.
   */
  move: (id: string, body: OpportunitiesMoveBody, options?: CallOptions) =>
    api.data<Opportunity>('PUT', path`/api/v1/opportunities/${id}/stage`, { body, options }),

  /**
   * Set the status of an opportunity.
   *
   * Any status may follow any other. `lostReason` is allowed only with `lost`; other statuses
   * clear it. `closedAt` is set for every status except `open`. Fires `opportunity.updated`.
   *
   * Scope: `opportunities:write`.
   */
  setStatus: (id: string, body: OpportunitiesSetStatusBody, options?: CallOptions) =>
    api.data<Opportunity>('PUT', path`/api/v1/opportunities/${id}/status`, { body, options }),

  /**
   * Delete an opportunity.
   *
   * Fires `opportunity.deleted`. Getting it then returns 404.
   *
   * Scope: `opportunities:write`.
   */
  delete: (id: string, options?: CallOptions) =>
    api.data<Deleted>('DELETE', path`/api/v1/opportunities/${id}`, { options }),
});
