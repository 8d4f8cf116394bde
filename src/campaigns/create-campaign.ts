import { insertInto } from '#core/schema/columns.ts';
import { Fault, invalidField } from '#core/fault.ts';
import { newId } from '#lib/id.ts';
import type { Work } from '#core/work.ts';
import type { CampaignCreate } from './campaign.schema.ts';
import { requireFeature } from './campaign.store.ts';
import { resolveLayout, type Layout } from './compose/resolve-layout.ts';

type CreateCampaignInput = CampaignCreate & {
  /** Campaigns of other channels are stored and never sent (spec "Campaigns"). */
  readonly channel?: 'email' | 'sms';
};

/** Stores a draft with a copy of its layout. Returns its id. */
export async function createCampaign(work: Work, given: CreateCampaignInput): Promise<string> {
  const { subAccountId, now } = work;
  await requireFeature(work);
  const layout = await resolveLayout(work, given.layout);
  const listId = await listOf(work, given.listId ?? undefined, layout);
  const id = newId(now);
  const values: Record<(typeof MEMBERS)[number], unknown> = {
    subAccountId,
    id,
    channel: given.channel ?? 'email',
    name: given.name,
    subject: given.subject,
    preheader: given.preheader ?? null,
    contentHtml: given.contentHtml,
    layout: given.layout,
    layoutHtml: layout.html,
    listId,
    status: 'draft',
    createdAt: now,
    updatedAt: now,
  };
  work.write(
    INSERT,
    MEMBERS.map((member) => values[member]),
  );
  // The list was removed by a concurrent change.
  work.mapConstraint('campaigns_list_fkey', () => unknownList());
  work.audit(id);
  return id;
}

const MEMBERS = [
  'subAccountId',
  'id',
  'channel',
  'name',
  'subject',
  'preheader',
  'contentHtml',
  'layout',
  'layoutHtml',
  'listId',
  'status',
  'createdAt',
  'updatedAt',
] as const;

const INSERT = insertInto('campaigns', MEMBERS);

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
