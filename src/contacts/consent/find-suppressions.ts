import { isoText } from '#core/schema/columns.ts';
import type { View } from '#core/work.ts';
import { normalised } from '../rows/addresses.ts';
import type { OptOutChannel } from './opt-out.entity.ts';

export interface SuppressionRow {
  readonly id: string;
  readonly channel: OptOutChannel;
  readonly address: string;
  readonly reason: string;
  readonly createdAt: string;
}

interface SuppressionFilter {
  readonly channel: OptOutChannel;
  readonly address?: string | undefined;
}

/** The closed addresses of a channel, newest first. */
export const findSuppressions = (
  view: View,
  { channel, address }: SuppressionFilter,
): Promise<SuppressionRow[]> =>
  view.rows(FIND, [view.subAccountId, channel, address === undefined ? null : normalised(address)]);

const FIND = `select id, channel, address, reason, ${isoText('created_at')} as "createdAt"
  from opt_outs
  where sub_account_id = $1 and channel = $2 and ($3::text is null or address = $3)
  order by id desc`;
