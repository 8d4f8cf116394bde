import { type KeyRow, findKey } from '../../../accounts/keys/api-key.store.ts';
import { AGENCY } from '#lib/id.ts';
import type { View, Work } from '#core/work.ts';
import type { AdminContext } from '../../open-admin.ts';
import { existing } from '../answers.ts';

export const knownKey = async (view: View, id: string): Promise<KeyRow> =>
  existing(await findKey(view, id), 'API key', id);

/** A key as a change left it, and what the change itself answered. */
export interface ChangedKey<R> {
  readonly row: KeyRow;
  readonly outcome: R;
}

/** Changes a key as work of the sub-account, or of the agency, that it belongs to. */
export async function changeKey<R>(
  { openView, clock, transact, actor }: AdminContext,
  id: string,
  change: (work: Work) => Promise<R>,
): Promise<ChangedKey<R>> {
  const { subAccountId } = await knownKey(openView(AGENCY, clock()), id);
  return transact(subAccountId ?? AGENCY, actor, change, async (view, outcome) => ({
    row: await knownKey(view, id),
    outcome,
  }));
}

/** A key's value is shown once: to a person with a line that says so. */
export const valueText = (said: string, value: string): string =>
  `${said}\n\n  ${value}\n\nThis is shown once. Frontdesk keeps only a hash of it, so store it now.`;
