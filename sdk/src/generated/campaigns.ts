// Written by `node sdk/generate.ts` from the declarations in src/.
import type { Api } from '../api.ts';
import type { CallOptions } from '../options.ts';
import { path } from '../path.ts';

export interface Campaign {
  id: string;
  status: 'draft' | 'scheduled' | 'sending';
}

export interface CampaignsCreateBody {
  /** internal, not sent to recipients */
  name: string;
  subject: string;
  /** preview text */
  preheader?: string | null | undefined;
  /** body HTML only, inserted into the layout */
  contentHtml: string;
  /** name of a saved template with exactly one {{content}}; the newest if several have it */
  layout: string;
  /** an active list; defaults to the layout's default list */
  listId?: string | null | undefined;
}

export interface CampaignsScheduleBody {
  /** epoch ms, or ISO 8601 with an offset; in the future */
  scheduledAt: number | string;
}

export const campaigns = (api: Api) => ({
  /**
   * Create a draft of an email campaign.
   *
   * No mail is sent. The campaign keeps a copy of the layout: later changes of the template do
   * not affect it. Fires no event.
   *
   * Scope: `campaigns:write`.
   */
  create: (body: CampaignsCreateBody, options?: CallOptions) =>
    api.data<Campaign>('POST', path`/api/v1/campaigns`, { body, options }),

  /**
   * Send a campaign now.
   *
   * Writes the recipients first: the contacts of the list that may be mailed, one per address.
   * A refused request leaves the status unchanged. Fires no event.
   *
   * Scope: `campaigns:write`.
   */
  send: (id: string, options?: CallOptions) =>
    api.data<Campaign>('POST', path`/api/v1/campaigns/${id}/send`, { options }),

  /**
   * Schedule a campaign.
   *
   * The campaign is sent at `scheduledAt`, and its recipients are determined then. Fires no
   * event.
   *
   * Scope: `campaigns:write`.
   */
  schedule: (id: string, body: CampaignsScheduleBody, options?: CallOptions) =>
    api.data<Campaign>('POST', path`/api/v1/campaigns/${id}/schedule`, { body, options }),
});
