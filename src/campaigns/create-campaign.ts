import { Fault, invalidField } from '#core/fault.ts';
import { newId } from '#lib/id.ts';
import type { Work } from '#core/work.ts';
import { Campaign } from './campaign.entity.ts';
import type { CampaignCreate } from './campaign.schema.ts';
import { requireFeature } from './campaign.store.ts';
import { resolveLayout, type Layout } from './compose/resolve-layout.ts';

type CreateCampaignInput = CampaignCreate & {
  /** Campaigns of other channels are stored and never sent (spec "Campaigns"). */
  readonly channel?: 'email' | 'sms';
};

/** Stores a draft with a copy of its layout. Returns its id. */
export async function createCampaign(work: Work, input: CreateCampaignInput): Promise<string> {
  const { em, subAccountId, now } = work;
  await requireFeature(work);
  const content = await resolveContent(work, input);
  const id = newId(now);
  const campaign = em.create(Campaign, {
    subAccountId,
    id,
    channel: input.channel ?? 'email',
    ...content,
    status: 'draft',
    createdAt: now,
    updatedAt: now,
  });
  em.persist(campaign);
  // The list was removed by a concurrent change.
  work.mapConstraint('campaigns_list_fkey', unknownList);
  work.audit(id);
  return id;
}

/** Returns what a campaign stores of its content, with a copy of the layout. Throws `list_required`. */
export async function resolveContent(work: Work, input: CampaignCreate) {
  const layout = await resolveLayout(work, input.layout);
  return {
    name: input.name,
    subject: input.subject,
    preheader: input.preheader ?? null,
    contentHtml: input.contentHtml,
    layout: input.layout,
    layoutHtml: layout.html,
    listId: await listOf(work, input.listId ?? undefined, layout),
  };
}

/** Returns the list of a new campaign: the given one, or the default of the layout. Throws `list_required`. */
async function listOf(work: Work, given: string | undefined, layout: Layout): Promise<string> {
  const id = given ?? layout.defaultListId;
  if (id === null) {
    const message = 'list_required: give a listId, or a layout that has a default list';
    throw new Fault('list_required', message);
  }
  const [list] = await work.rows<{ active: boolean }>(LIST, [work.subAccountId, id]);
  if (list?.active) {
    return id;
  }
  throw given === undefined
    ? new Fault('list_required', "list_required: the layout's default list is not active")
    : unknownList();
}

const LIST = 'select active from lists where sub_account_id = $1 and id = $2';

const unknownList = (): Fault =>
  invalidField('/listId', 'is not an active list of this sub-account');
