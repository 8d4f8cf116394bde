import { Fault } from '#core/fault.ts';
import type { Outcome } from '../runs/move-run.ts';

/** What came of a step that was done. */
export interface Done extends Outcome {
  /** The message that was written. */
  readonly sent?: string | undefined;
}

/** Why a step cannot be done, for the log of the run. */
export const refusal = (why: string): Fault => new Fault('VALIDATION_ERROR', why);
