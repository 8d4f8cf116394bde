import { Fault } from '#core/fault.ts';
import { AGENCY } from '#lib/id.ts';
import {
  findSubAccount,
  type SubAccountRow,
} from '../../accounts/sub-accounts/find-sub-accounts.ts';
import type { AdminContext } from '../context.ts';
import { existing } from './answers.ts';

/** The sub-account that is named on the command line; refused where it is not there any more. */
export async function liveSubAccount(
  { openView, clock }: AdminContext,
  id: string,
): Promise<SubAccountRow> {
  const found = existing(await findSubAccount(openView(AGENCY, clock()), id), 'sub-account', id);
  if (found.deletedAt) {
    throw new Fault('NOT_FOUND', `the sub-account ${id} was deleted`);
  }
  return found;
}
