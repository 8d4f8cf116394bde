import type { Actor, Transact, Work } from '#core/work.ts';
import { dryRun } from '#platform/database/dry-run.ts';
import { applyManifest, type Applied, type ApplyOptions } from './apply-manifest.ts';
import { outcomeOf, type Outcome } from './outcome.ts';
import type { Manifest } from './read-manifest.ts';

export interface RunOptions extends ApplyOptions {
  /** Rolls everything back: the outcome is a plan, which `apply` would carry out or refuse alike. */
  readonly dryRun: boolean;
}

interface Target {
  readonly transact: Transact;
  readonly subAccountId: string;
  readonly actor: Actor;
}

export interface RunResult {
  readonly outcome: Outcome;
  /** What a person should know; stops nothing. */
  readonly cautions: readonly string[];
}

/** Applies a manifest to a sub-account, or plans it by doing so in a transaction that is rolled back. */
export async function runManifest(
  { transact, subAccountId, actor }: Target,
  manifest: Manifest,
  options: RunOptions,
): Promise<RunResult> {
  const change = (work: Work): Promise<Applied> => applyManifest(work, manifest, options);
  const applied = options.dryRun
    ? await dryRun(transact, subAccountId, actor, change)
    : await transact(subAccountId, actor, change);
  return { outcome: outcomeOf(applied, options.dryRun), cautions: applied.cautions };
}
