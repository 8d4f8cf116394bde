import { Fault } from '#core/fault.ts';
import { countFields, mapFields } from '#lib/merge-fields.ts';
import type { View } from '#core/work.ts';

export interface Layout {
  readonly html: string;
  readonly defaultListId: string | null;
}

/** Returns the newest template of a name. Throws layout_not_found, or layout_invalid unless it has one {{content}}. */
export async function resolveLayout(view: View, name: string): Promise<Layout> {
  const [layout] = await view.rows<Layout>(NEWEST, [view.subAccountId, name]);
  if (!layout) {
    const known = await namesOf(view);
    const message = `layout_not_found: no template has the name ${JSON.stringify(name)}; ${known}`;
    throw new Fault('layout_not_found', message);
  }
  return checked(name, layout);
}

/** Returns a template that was found by its id. Throws layout_not_found, or layout_invalid. */
export function resolveTemplate(name: string, layout: { readonly html: string } | undefined) {
  if (!layout) {
    throw new Fault('layout_not_found', 'layout_not_found: the template was removed');
  }
  return checked(name, layout);
}

function checked<L extends { readonly html: string }>(name: string, layout: L): L {
  const problem = layoutProblem(name, layout.html);
  if (problem) {
    throw new Fault('layout_invalid', `layout_invalid: ${problem}`);
  }
  return layout;
}

/** Returns why no campaign can use a template; undefined if one can. */
export function layoutProblem(name: string, html: string): string | undefined {
  const places = countFields(html, PLACE);
  if (places === 1) {
    return undefined;
  }
  const why =
    html.trim() === ''
      ? 'is empty'
      : `contains {{content}} ${places} times, but must contain it exactly once`;
  return `the template ${JSON.stringify(name)} ${why}`;
}

const NEWEST = `select html, default_list_id as "defaultListId" from mail_templates
  where sub_account_id = $1 and name = $2
  order by updated_at desc, id desc limit 1`;

/** Lists the names of templates for an error: callers often give the key of the manifest instead. */
async function namesOf(view: View): Promise<string> {
  const rows = await view.rows<{ name: string }>(NAMES, [view.subAccountId, NAMED_MAX + 1]);
  const names = rows.slice(0, NAMED_MAX).map(({ name }) => JSON.stringify(name));
  const more = rows.length > NAMED_MAX ? ' and more' : '';
  return names.length === 0
    ? 'the sub-account has no templates: add one to templates in the manifest'
    : `use the name of a template: ${names.join(', ')}${more}`;
}

/** The most templates that an error lists, newest first. */
const NAMED_MAX = 20;

const NAMES = `select name from mail_templates where sub_account_id = $1
  group by name order by max(updated_at) desc, name limit $2`;

/** The merge field of a layout that its content replaces. */
export const PLACE = 'content';

/** Returns the layout with the content in its place. */
export const fillIn = (layoutHtml: string, contentHtml: string): string =>
  mapFields(layoutHtml, ({ name }, source) => (name === PLACE ? contentHtml : source));
