import type { Effects } from '#core/endpoint/keyed-endpoint.ts';
import type { Transact } from '#core/work.ts';
import { dryRun } from '#platform/database/dry-run.ts';
import type { CallDeps } from '#platform/http/call/checks.ts';
import type { CallResponse } from '#platform/http/response.ts';
import { countEffects } from './count-effects.ts';
import { runCall, type PreparedCall } from './in-process.ts';

/** What a write would return and do. */
export interface DryRunResult {
  readonly response: CallResponse;
  /** Numbers by the names of events, and those that the endpoint counts itself. */
  readonly effects: Effects;
}

/**
 * Runs a write with everything it does in the database, and rolls it back. Throws the refusal that the
 * write would get.
 */
export async function dryRunCall(deps: CallDeps, call: PreparedCall): Promise<DryRunResult> {
  const counts: Record<string, number> = {};
  const transact: Transact = async (subAccountId, actor, change, conclude) => {
    // Changes without a conclusion are those of `prepare`: a newer copy of an external calendar.
    if (!conclude) {
      return deps.transact(subAccountId, actor, change);
    }
    return dryRun(
      deps.transact,
      subAccountId,
      actor,
      (work) => {
        // The change runs again after a conflict.
        Object.keys(counts).forEach((name) => void delete counts[name]);
        work.onEmit(({ name, webhook }) => {
          if (webhook) {
            counts[name] = (counts[name] ?? 0) + 1;
          }
        });
        return change(work);
      },
      async (view, outcome) => {
        const response = await conclude(view, outcome);
        Object.assign(counts, await countEffects(view, call, response as CallResponse));
        return response;
      },
    );
  };
  const response = await runCall({ ...deps, transact }, call);
  return { response, effects: counts };
}
