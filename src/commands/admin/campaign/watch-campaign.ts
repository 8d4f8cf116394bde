import type { Switches } from '#core/command.ts';
import { openProgressBar } from '#platform/cli/progress-bar.ts';
import { sleep } from '#lib/abort.ts';
import type { AdminContext } from '../../open-admin.ts';
import { shownCampaign } from './known-campaign.ts';

const LOOK_EVERY_MS = 500;

/** Shows how a campaign gets on until it is no longer being sent. */
export async function watchCampaign(
  context: AdminContext,
  id: string,
  switches: Switches,
): Promise<void> {
  const bar = openProgressBar(switches);
  const told = new AbortController();
  const end = () => told.abort();
  process.once('SIGINT', end);
  try {
    let before: number | undefined;
    for (;;) {
      const { status, recipients } = await shownCampaign(context, id);
      const { pending, ...settled } = recipients;
      const done = Object.values(settled).reduce((sum, count) => sum + count, 0);
      before ??= done;
      bar.update(done - before, pending + done === 0 ? 1 : done / (pending + done));
      if (status !== 'sending' || told.signal.aborted) {
        return;
      }
      await sleep(LOOK_EVERY_MS, told.signal);
    }
  } finally {
    process.off('SIGINT', end);
    bar.clear();
  }
}
