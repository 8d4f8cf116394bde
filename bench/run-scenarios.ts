import type { LoggedErrors } from './logged-errors.ts';
import { isFindings, isKept, type Result, type Scenario } from './scenario.ts';
import { linesOf, type Results } from './table.ts';

/** A longer reason is in the log, not in the table. */
const FAILURE_MAX = 1_000;

export interface RunOptions<G> {
  readonly ground: G;
  readonly errors: LoggedErrors;
  readonly say: (line: string) => void;
}

/**
 * Runs scenarios one after another. A scenario fails if it throws, finds nothing, or the product
 * logs an error meanwhile; the others still run.
 */
export async function runScenarios<G>(
  scenarios: readonly Scenario<G>[],
  { ground, errors, say }: RunOptions<G>,
): Promise<Results> {
  const results = new Map<string, Result>();
  // Discards errors from before the first scenario.
  await errors.read();
  for (const scenario of scenarios) {
    say(`${scenario.name}…`);
    const result = await resultOf(scenario, ground, errors);
    results.set(scenario.name, result);
    // A run takes long, and may be interrupted before its table.
    linesOf(result).forEach(say);
  }
  return results;
}

async function resultOf<G>(
  { measure }: Scenario<G>,
  ground: G,
  errors: LoggedErrors,
): Promise<Result> {
  const measured = await measure(ground).catch((error: unknown) => ({ failed: String(error) }));
  const logged = await errors.read();
  const reasons = [
    ...(isFindings(measured) ? [] : [measured.failed]),
    ...(isFindings(measured) && measured.length === 0 ? ['it found nothing'] : []),
    ...(logged.length > 0 ? [`the product logged ${logged.length} error(s): ${logged[0]}`] : []),
  ];
  return reasons.length > 0 ? { failed: reasons.join('\n').slice(0, FAILURE_MAX) } : measured;
}

/** One line for each scenario that failed and each bound that was missed. */
export function problemsIn(results: Results): string[] {
  return [...results].flatMap(([name, result]) =>
    isFindings(result)
      ? result.filter((one) => !isKept(one)).map(({ what }) => `MISSED: ${name}: ${what}`)
      : [`FAILED: ${name}: ${result.failed.replaceAll('\n', ' ')}`],
  );
}
