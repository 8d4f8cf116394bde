import type { View } from '#core/work.ts';

/** Events in one transaction. */
const BATCH = 1_000;
const PUBLISH_OF = 'select publish_events_of($1, $2) as published';

/** Publishes the waiting events of one sub-account, so that a change or request finds them published. */
export async function publishOwn({
  rows,
  subAccountId,
}: Pick<View, 'rows' | 'subAccountId'>): Promise<void> {
  for (let count = BATCH; count === BATCH;) {
    const [row] = await rows<{ published: number }>(PUBLISH_OF, [subAccountId, BATCH]);
    count = row?.published ?? 0;
  }
}
