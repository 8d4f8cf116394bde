import { Fault } from '#kit/fault.ts';
import type { View } from '#kit/work.ts';

export interface Layout {
  readonly html: string;
  readonly defaultListId: string | null;
}

/** The newest template of a name; throws layout_not_found, or layout_invalid where no mail fits in. */
export async function resolveLayout(view: View, name: string): Promise<Layout> {
  const [layout] = await view.rows<Layout>(NEWEST, [view.subAccountId, name]);
  if (!layout) {
    throw new Fault('layout_not_found', `layout_not_found: no template is called ${name}`);
  }
  const places = placesIn(layout.html);
  if (places !== 1) {
    const why =
      layout.html.trim() === '' ? 'is empty' : `has {{content}} ${places} times, not once`;
    throw new Fault('layout_invalid', `layout_invalid: the template ${name} ${why}`);
  }
  return layout;
}

const NEWEST = `select html, default_list_id as "defaultListId" from mail_templates
  where sub_account_id = $1 and name = $2
  order by updated_at desc, id desc limit 1`;

const PLACE = /\{\{\s*content\s*\}\}/g;

const placesIn = (html: string): number => html.match(PLACE)?.length ?? 0;

/** The layout with the mail itself in its place. */
export const fillIn = (layoutHtml: string, contentHtml: string): string =>
  layoutHtml.replace(PLACE, () => contentHtml);
