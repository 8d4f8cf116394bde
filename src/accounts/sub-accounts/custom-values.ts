import type { CachedRead, View } from '#core/work.ts';

/** Texts for the merge fields `{{custom_values.NAME}}`, by name. */
export type CustomValues = Readonly<Record<string, string>>;

export async function customValuesOf(view: View): Promise<CustomValues> {
  const [found] = await view.cached(CUSTOM_VALUES);
  return found?.values ?? {};
}

const CUSTOM_VALUES: CachedRead<{ readonly values: CustomValues }> = {
  tables: ['sub_accounts'],
  text: 'select custom_values as values from sub_accounts where id = $1',
};
