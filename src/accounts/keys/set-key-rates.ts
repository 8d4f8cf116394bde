import { invalid } from '#core/fault.ts';
import type { Work } from '#core/work.ts';
import { loadActiveKey } from './api-key.store.ts';
import { rateIssues } from './create-key.ts';

export interface KeyRates {
  readonly keyId: string;
  /** Such as `600/1m`; null is the rate of the installation. Undefined does not change it. */
  readonly rateRead?: string | null | undefined;
  readonly rateWrite?: string | null | undefined;
}

/** Changes how often a key may read and write (contract 2). Throws VALIDATION_ERROR for other texts. */
export async function setKeyRates(work: Work, { keyId, ...rates }: KeyRates): Promise<void> {
  const issues = rateIssues(rates);
  if (issues.length > 0) {
    throw invalid(issues);
  }
  const key = await loadActiveKey(work, keyId);
  const { rateRead = key.rateRead, rateWrite = key.rateWrite } = rates;
  if (rateRead !== key.rateRead || rateWrite !== key.rateWrite) {
    key.rateRead = rateRead;
    key.rateWrite = rateWrite;
    work.audit(key.id);
  }
}
