import { defineCommand, type Outcome } from '#core/command.ts';
import { statusMark } from '#platform/cli/status-mark.ts';
import { terminalWidth, wrap } from '#platform/cli/wrap.ts';
import type { Checked } from '../operations/doctor/check.ts';
import { examine, isFine } from '../operations/doctor/examine.ts';
import { withExamined } from './open-examined.ts';

export const doctor = defineCommand()({
  path: 'doctor',
  summary: 'Check the installation and print how to fix problems; exit 1 on a failure',
  examples: ['frontdesk doctor', 'frontdesk doctor --json'],
  context: 'none',
  async run() {
    return runDoctor();
  },
});

async function runDoctor(): Promise<Outcome> {
  const checks = await withExamined('frontdesk doctor', examine);
  const ok = isFine(checks);
  return { json: { ok, checks }, text: checks.map(lineOf).join('\n'), exitCode: ok ? 0 : 1 };
}

/** Returns a check as one line, wrapped between words on a terminal. */
export const lineOf = ({ name, status, message, fix }: Checked): string =>
  wrap(
    `${statusMark(status)} ${name}: ${oneLine(message)}${fix === undefined ? '' : ` – ${oneLine(fix)}`}`,
    terminalWidth(),
  );

/** Messages contain text of mail servers, which must not control the terminal. */
const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ');
