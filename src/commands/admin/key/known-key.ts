import { UsageFault } from '#core/fault.ts';
import type { View } from '#core/work.ts';
import { findKey, findKeys, type KeyRow } from '../../../accounts/keys/api-key.store.ts';
import { existing } from '../answers.ts';

/** Finds a key by its id, or by the prefix of its value or of the one before its rotation. Throws a Fault if there is none. */
export async function knownKey(view: View, given: string): Promise<KeyRow> {
  const prefix = given.replace(/…$/, '');
  if (!prefix.startsWith('sk_')) {
    return existing(await findKey(view, given), 'API key', given);
  }
  const found = (await findKeys(view)).filter(
    (key) => key.prefix === prefix || key.previousPrefix === prefix,
  );
  if (found.length > 1) {
    throw new UsageFault(
      `${found.length} keys have the prefix ${prefix}: pass the ID, one of ${found.map(({ id }) => id).join(', ')}`,
    );
  }
  return existing(found[0], 'API key', given);
}
