import { Fault } from '#kit/fault.ts';
import { CutOff } from './byte-reader.ts';

/** What was read is not what was written. */
export class Altered extends Error {}

/** As zlib says it of what does not begin like gzip. */
const NO_GZIP = 'incorrect header check';

const refusal = (message: string) => new Fault('VALIDATION_ERROR', message);

/** What is wrong with a file that could not be read as a backup. */
export function explained(file: string, error: unknown): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (error instanceof CutOff || code === 'Z_BUF_ERROR') {
    return refusal(`${file} is cut off: it ends before its end`);
  }
  if (message === NO_GZIP) {
    return refusal(`${file} is no backup of Frontdesk`);
  }
  if (error instanceof Altered || error instanceof SyntaxError || code.startsWith('Z_')) {
    return refusal(`${file} was altered: what it holds is not what its checksum says`);
  }
  return code.startsWith('E') ? refusal(`${file} cannot be read: ${message}`) : error;
}
