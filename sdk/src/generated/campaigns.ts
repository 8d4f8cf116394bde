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
  /** name of a saved template with exactly one {{content}}; of several, the newest */
  layout: string;
  /** an active list; the layout's default list unless given */
  listId?: string | null | undefined;
}

export interface CampaignsScheduleBody {
  /** epoch ms, in the future */
  scheduledAt: number;
}

export const campaigns = (api: Api) => ({
  /**
   * Create a draft of a campaign by email.
   *
   * Mails no one. The layout is kept as it is now.
   *
   * Scope: `campaigns:write`.
   */
  create: (body: CampaignsCreateBody, options?: CallOptions) =>
    api.data<Campaign>('POST', path`/api/v1/campaigns`, { body, options }),

  /**
   * Send a campaign now.
   *
   * Who is mailed is settled first: one mail per address of the list that may be mailed.
   * Whatever is refused, the status is as it was.
   *
   * Scope: `campaigns:write`.
   */
  send: (id: string, options?: CallOptions) =>
    api.data<Campaign>('POST', path`/api/v1/campaigns/${id}/send`, { options }),

  /**
   * Have a campaign sent at a time.
   *
   * Scope: `campaigns:write`.
   */
  schedule: (id: string, body: CampaignsScheduleBody, options?: CallOptions) =>
    api.data<Campaign>('POST', path`/api/v1/campaigns/${id}/schedule`, { body, options }),
});
