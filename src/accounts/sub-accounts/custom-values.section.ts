import { Type } from 'typebox';
import { defineSection, KEY_PATTERN } from '#core/section.ts';
import type { Work } from '#core/work.ts';
import { loadSubAccount } from './sub-account.store.ts';
import { SubAccount } from './sub-account.entity.ts';

const VALUE_MAX = 10_000;
const NAME_MAX = 100;
const NAME = new RegExp(KEY_PATTERN);

type Row = readonly [name: string, value: string];

export const customValuesSection = defineSection({
  name: 'customValues',
  summary: 'Texts for the merge fields `{{custom_values.NAME}}` of messages, by name.',
  match: 'member',
  schema: Type.String({ maxLength: VALUE_MAX, description: 'The text.' }),
  check: (_, name) =>
    NAME.test(name) && name.length <= NAME_MAX
      ? []
      : [
          {
            path: '',
            message: `must have a name of letters, digits, _ and -, at most ${NAME_MAX} characters, that begins with a letter or digit`,
          },
        ],
  complete: (given) => given,
  async load(work): Promise<Row[]> {
    const { customValues } = await loadSubAccount(work);
    return Object.entries(customValues).sort(([a], [b]) => (a < b ? -1 : 1));
  },
  keyOf: ([name]: Row) => name,
  valueOf: ([, value]) => value,
  async create(work, value, name): Promise<Row> {
    await change(work, (values) => (values[name] = value));
    return [name, value];
  },
  update: (work, [name], value) => change(work, (values) => (values[name] = value)),
  remove: (work, [name]) => change(work, (values) => delete values[name]),
});

/**
 * The entity manager has the sub-account since `load`: `findOneOrFail` needs no query. It compares the
 * values with a copy of its own. A new object per value would take a minute for 6,000 values.
 */
async function change(
  { em, subAccountId, now }: Work,
  edit: (values: Record<string, string>) => void,
): Promise<void> {
  const subAccount = await em.findOneOrFail(SubAccount, subAccountId);
  edit(subAccount.customValues);
  subAccount.updatedAt = now;
}
