import Table from 'cli-table3';
import { isFindings, isKept, type Bound, type Finding, type Result } from './scenario.ts';

export type Results = ReadonlyMap<string, Result>;

const HEAD = ['scenario', '', 'baseline', 'product', 'ratio', 'required', '', 'p50 ms', 'p99 ms'];

/** Formats the results as a table, one line per finding. */
export function tableOf(results: Results): string {
  const table = new Table({ head: HEAD, style: { head: [], border: [], compact: true } });
  for (const [name, result] of results) {
    if (isFindings(result)) {
      table.push(...result.map((finding) => [name, ...cellsOf(finding)]));
    } else {
      const content = Object.entries(result).flat().join(': ');
      table.push([name, { colSpan: HEAD.length - 1, content }]);
    }
  }
  return table.toString();
}

/** Returns a line for each finding, or the reason why there is none. */
export const linesOf = (result: Result): string[] =>
  isFindings(result)
    ? result.map(({ what, unit, product, ratio }) => {
        const compared = ratio === undefined ? '' : `, ratio ${ratio.toFixed(2)}`;
        return `  ${what}: ${figure(product)} ${unit}${compared}`;
      })
    : [`  failed: ${result.failed}`];

const cellsOf = (finding: Finding): string[] => {
  const { what, unit, bare, product, ratio, bound, p50Ms, p99Ms } = finding;
  const verdict = bound ? (isKept(finding) ? 'pass' : 'MISS') : '';
  return [
    what,
    bare === undefined ? '' : figure(bare),
    `${figure(product)} ${unit}`,
    ratio === undefined ? '' : ratio.toFixed(2),
    bound ? required(bound) : '',
    verdict,
    p50Ms === undefined ? '' : p50Ms.toFixed(1),
    p99Ms === undefined ? '' : p99Ms.toFixed(1),
  ];
};

const figure = (value: number): string =>
  value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString('en');

const required = (bound: Bound): string =>
  'atLeast' in bound
    ? `≥ ${bound.atLeast.toLocaleString('en')}`
    : `≤ ${bound.atMost.toLocaleString('en')}`;
