import { AGENCY } from '#lib/id.ts';
import type { View, Work } from '#core/work.ts';
import {
  listAllSubscriptions,
  type ListedSubscription,
} from '../../../webhooks/subscriptions/list-all-subscriptions.ts';
import type { AdminContext } from '../../open-admin.ts';
import { existing } from '../answers.ts';

export async function knownSubscription(
  view: View,
  id: string,
  subAccountId?: string,
): Promise<ListedSubscription> {
  const [found] = await listAllSubscriptions(view, { id, subAccountId });
  return existing(found, 'webhook subscription', id);
}

/** A subscription as a change left it, and what the change itself answered. */
export interface ChangedSubscription<R> {
  readonly row: ListedSubscription;
  readonly outcome: R;
}

/** Changes a subscription as work of the sub-account that it belongs to. */
export async function changeSubscription<R>(
  { openView, clock, transact, actor }: AdminContext,
  id: string,
  change: (work: Work) => Promise<R>,
): Promise<ChangedSubscription<R>> {
  const { subAccountId } = await knownSubscription(openView(AGENCY, clock()), id);
  return transact(subAccountId, actor, change, async (view, outcome) => ({
    row: await knownSubscription(view, id),
    outcome,
  }));
}
