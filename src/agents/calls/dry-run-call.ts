import type { Effects } from '#core/endpoint/keyed-endpoint.ts';
import type { Transact } from '#core/work.ts';
import { dryRun } from '#platform/database/dry-run.ts';
import type { CallDeps } from '#platform/http/call/checks.ts';
import type { CallResponse } from '#platform/http/response.ts';
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
  const { agent } = call.endpoint;
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
        const { data } = JSON.parse((response as CallResponse).text.toString()) as {
          data?: object;
        };
        Object.assign(counts, await agent?.effects?.(view, { ...call.request.params, ...data }));
        return response;
      },
    );
  };
  const response = await runCall({ ...deps, transact }, call);
  return { response, effects: counts };
}
