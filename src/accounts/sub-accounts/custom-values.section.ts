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
            message: `must have a name of letters, digits, _ and -, at most ${NAME_MAX} characters`,
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
    await change(work, (values) => values.set(name, value));
    return [name, value];
  },
  update: (work, [name], value) => change(work, (values) => values.set(name, value)),
  remove: (work, [name]) => change(work, (values) => values.delete(name)),
});

/** The entity manager has the sub-account since `load`: `findOneOrFail` needs no query. */
async function change(
  { em, subAccountId, now }: Work,
  edit: (values: Map<string, string>) => void,
): Promise<void> {
  const subAccount = await em.findOneOrFail(SubAccount, subAccountId);
  const values = new Map(Object.entries(subAccount.customValues));
  edit(values);
  subAccount.customValues = Object.fromEntries(values);
  subAccount.updatedAt = now;
}
