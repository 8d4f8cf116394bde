import type { Answer } from '#kit/endpoint.ts';
import { notFound } from '#kit/fault.ts';
import type { Json } from '#kit/json.ts';
import { recordShape } from '#kit/record.ts';
import type { PointRead, View } from '#kit/work.ts';
import { opportunityShape } from './opportunity.shape.ts';

/** Opportunity `o` as every endpoint shows it. */
export const opportunityRecord = recordShape(opportunityShape, 'o');

const OPPORTUNITY: PointRead = {
  record: opportunityRecord,
  text: `select wanted.n, ${opportunityRecord.members}
    from unnest($1::uuid[], $2::uuid[]) with ordinality as wanted (sub_account_id, id, n)
    join opportunities o on o.sub_account_id = wanted.sub_account_id and o.id = wanted.id
    where o.deleted_at is null`,
};

export async function readOpportunity(view: View, id: string): Promise<Json> {
  const opportunity = await view.point(OPPORTUNITY, id);
  if (!opportunity) {
    throw notFound('opportunity');
  }
  return opportunity;
}

/** Answers a change with the opportunity as it is after it. */
export const theOpportunity =
  (id: string): Answer =>
  (view) =>
    readOpportunity(view, id);
