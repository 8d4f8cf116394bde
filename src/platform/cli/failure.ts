import { Fault, UsageFault, type Issue } from '#core/fault.ts';
import { systemError } from '../process/system-error.ts';
import { connectionAdvice, databaseRefusal, isDatabaseAway } from '../database/database-errors.ts';
import { jsonLine, printable } from './printable.ts';
import { upFolderOf, nothingRuns, runningUp } from '../config/environment-file.ts';

/** Why a command failed, for text and `--json` output, and its exit code. */
export interface Failure {
  readonly message: string;
  readonly issues?: readonly Issue[];
  /** What the API would return besides, for `--json`. */
  readonly details?: object;
  readonly exitCode: 1 | 2;
}

export async function failureOf(error: unknown): Promise<Failure> {
  if (error instanceof UsageFault) {
    return { message: error.message, exitCode: 2 };
  }
  if (error instanceof Fault) {
    const { issues, ...details }: { readonly issues?: readonly Issue[] } = error.details ?? {};
    const hasDetails = Object.keys(details).length > 0;
    return {
      message: error.message,
      ...(issues && { issues }),
      ...(hasDetails && { details }),
      exitCode: 1,
    };
  }
  if (error instanceof Error && error.name === 'ExitPromptError') {
    return { message: 'cancelled', exitCode: 1 };
  }
  const message = fileFailure(error) ?? (await databaseFailure(error)) ?? bug(error);
  return { message, exitCode: 1 };
}

/** Errors of reading and writing files are not bugs. */
function fileFailure(error: unknown): string | undefined {
  const failed = systemError(error);
  return failed?.path ? `${failed.path}: ${failed.reason}` : undefined;
}

/** Prints a failure on standard error; standard output stays clean. */
export function printFailure({ message, issues = [], details }: Failure, asJson: boolean): void {
  if (asJson) {
    const error = { message, ...(issues.length > 0 && { issues }), ...(details && { details }) };
    process.stderr.write(`${jsonLine({ error })}\n`);
    return;
  }
  const messages = message.split('\n');
  // The message contains the first issue, or has a line for each.
  const isListed = issues.length <= 1 || messages.length > 1;
  const listed = isListed ? [] : issues.map((issue) => `  ${issueLine(issue)}`);
  const lines = [...messages.map((line) => `frontdesk: ${line}`), ...listed];
  process.stderr.write(`${printable(lines.join('\n'))}\n`);
}

const issueLine = ({ path, message }: Issue): string => `${path.slice(1)} ${message}`.trim();

/** 28…: refused by password or rules; 3D000: no such database. */
const CONNECTION_REFUSED = /^(?:28...|3D000)$/;
/** Something listens at the address, so "nothing is running" would be wrong. */
const TIMED_OUT = /connection timeout|timeout exceeded when trying to connect/i;
const DISK_FULL = '53100';
/** A statement reached statement_timeout, usually because it waited for a lock: the database runs. */
const STATEMENT_TIMEOUT = '57014';

async function databaseFailure(error: unknown): Promise<string | undefined> {
  if (databaseRefusal(error)?.code === DISK_FULL) {
    return `the disk of the database is full: ${reasonOf(error as Error)}; free some space and run this again`;
  }
  if (databaseRefusal(error)?.code === STATEMENT_TIMEOUT) {
    return `the database took too long: ${reasonOf(error as Error)}; frontdesk doctor names the program whose lock others wait for`;
  }
  const isShut = CONNECTION_REFUSED.test(databaseRefusal(error)?.code ?? '');
  if (!isShut && !isDatabaseAway(error)) {
    return undefined;
  }
  if (error instanceof Error && TIMED_OUT.test(error.message)) {
    return `the database did not accept a connection in time: ${reasonOf(error)}; the machine may be busy: try again, then run frontdesk doctor`;
  }
  const folder = upFolderOf(process.env);
  return folder !== undefined && !(await runningUp(folder))
    ? nothingRuns(folder)
    : `the database of DATABASE_URL cannot be used: ${reasonOf(error as Error)}; ${connectionAdvice(error)}`;
}

/**
 * Returns the reason; of several addresses that were tried, that of the first. MikroORM appends
 * PostgreSQL's hint on lines of its own.
 */
const reasonOf = (error: Error): string =>
  error.message.split('\n', 1)[0] ||
  (error instanceof AggregateError ? String(error.errors[0]) : error.name);

const bug = (error: unknown): string =>
  `this is a bug: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
