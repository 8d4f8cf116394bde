import type { Following } from '#core/command.ts';
import { AGENCY } from '#lib/id.ts';
import { sleep } from '#lib/abort.ts';
import { readEnvironment } from '#platform/config/environment.ts';
import { withEnvironmentFile } from '#platform/config/environment-file.ts';
import {
  type DeliveryFilter,
  type ListedDelivery,
  followDeliveries,
} from '../webhooks/deliveries/list-all-deliveries.ts';
import type { AdminContext } from './context.ts';

const LOOK_EVERY_MS = 1_000;

/** Shows the attempts that are made from now on. */
export function runFollow({ openView, clock }: AdminContext, filter: DeliveryFilter): Following {
  const { webhookTimeout } = readEnvironment(withEnvironmentFile(process.env));
  const look = followDeliveries(filter, webhookTimeout);
  return {
    async follow({ say, printed: told }) {
      while (!told.aborted) {
        for (const row of await look(openView(AGENCY, clock()))) {
          await say({ json: row, text: lineOf(row, clock()) });
        }
        await sleep(LOOK_EVERY_MS, told);
      }
    },
  };
}

function lineOf(row: ListedDelivery, now: Date): string {
  const { event, attempt, status, error, responseStatus, durationMs } = row;
  const answer = error ?? responseStatus;
  return `${now.toISOString()}  ${status}  ${event}  attempt ${attempt}  ${answer}  ${durationMs} ms  ${row.id}`;
}
