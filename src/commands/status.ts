import { defineCommand, type Outcome } from '#core/command.ts';
import { counted } from '#lib/counted.ts';
import { statusMark } from '#platform/cli/status-mark.ts';
import { terminalWidth, wrap } from '#platform/cli/wrap.ts';
import type { Checked } from '../operations/doctor/check.ts';
import { examineOperation } from '../operations/doctor/examine.ts';
import { operationStatus, type OperationStatus } from '../operations/operation-status.ts';
import { lineOf } from './doctor.ts';
import { withExamined } from './open-examined.ts';
import { version } from '#platform/process/version.ts';

export const status = defineCommand()({
  path: 'status',
  summary: 'Show the state of the installation on one screen; exit 1 on a warning or failure',
  examples: ['frontdesk status', 'frontdesk status --json'],
  context: 'none',
  async run() {
    return runStatus();
  },
});

async function runStatus(): Promise<Outcome> {
  const { checks, operation } = await withExamined('frontdesk status', async (examined) => {
    const found = await examineOperation(examined);
    const isReached = found.some(({ name }) => name === 'workers');
    const { rows } = examined;
    return { checks: found, operation: isReached ? await operationStatus({ rows }) : undefined };
  });
  const ok = checks.every((check) => check.status === 'ok');
  const lines = [
    headline(checks),
    ...(operation ? processLines(operation) : []).map((line) => wrap(line, terminalWidth())),
    ...checks.map(lineOf),
  ];
  return {
    json: { ok, version: version(), ...(operation ?? NOT_REACHED), checks },
    text: lines.join('\n'),
    exitCode: ok ? 0 : 1,
  };
}

/** Returns the first line, with the mark of the worst checks and their names. */
function headline(checks: readonly Checked[]): string {
  const namesOf = (wanted: Checked['status']) =>
    checks.filter(({ status: found }) => found === wanted).map(({ name }) => name);
  const [failures, warnings] = [namesOf('fail'), namesOf('warn')];
  if (failures.length > 0) {
    return `${statusMark('fail')} Frontdesk ${version()}: action needed (${failures.join(', ')})`;
  }
  return warnings.length > 0
    ? `${statusMark('warn')} Frontdesk ${version()}: ${counted(warnings.length, 'warning')} (${warnings.join(', ')})`
    : `${statusMark('ok')} Frontdesk ${version()}: nothing needs action`;
}

/** The members are always there, for scripts. */
const NOT_REACHED = { processes: [], queue: null, events: null } as const;

const processLines = ({ processes }: OperationStatus): readonly string[] =>
  processes.map(({ kind, host, pid, uptimeSeconds, lanes, hasDied }) => {
    if (hasDied) {
      return `  ${kind} (process ${pid} on ${host}) has died: it ended without stopping, as after kill -9`;
    }
    const uptime = uptimeSeconds === null ? '' : `, started ${uptimeText(uptimeSeconds)} ago`;
    const states = Object.entries(lanes).map(
      ([lane, { isTaking, running }]) => `${lane} ${isTaking ? running : 'stalled'}`,
    );
    const jobs = states.length > 0 ? `; running jobs: ${states.join(', ')}` : '';
    return `  ${kind} (process ${pid} on ${host})${uptime}${jobs}`;
  });

const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;

/** `12 s`, `5 min`, `3 h`, `8 d` */
function uptimeText(seconds: number): string {
  const units = [
    [DAY_S, 'd'],
    [HOUR_S, 'h'],
    [MINUTE_S, 'min'],
  ] as const;
  const [size, unit] = units.find(([least]) => seconds >= least) ?? [1, 's'];
  return `${Math.floor(seconds / size)} ${unit}`;
}
