import { notFound } from '#core/fault.ts';
import type { CachedRead, View } from '#core/work.ts';
import { findOwner } from '../accounts/sub-accounts/find-owner.ts';
import type { FormField } from './form-entry.ts';

export interface Form {
  readonly id: string;
  readonly name: string;
  readonly captcha: boolean;
  readonly message: string | null;
  readonly redirectUrl: string | null;
  readonly fields: readonly FormField[];
  /** What the sub-account is called outside. */
  readonly brand: string;
  readonly locale: string;
}

/** Returns the sub-account that a form belongs to. Throws `NOT_FOUND` for an unknown form. */
export async function ownerOf(view: View, formId: string): Promise<string> {
  const owner = await findOwner(view, 'forms', formId);
  if (owner === undefined) {
    throw noForm();
  }
  return owner;
}

/** The form of the view's sub-account, from memory; throws NOT_FOUND where there is none. */
export async function theForm(view: View, formId: string): Promise<Form> {
  const id = formId.toLowerCase();
  const form = (await view.cached(FORMS)).find((one) => one.id === id);
  if (!form) {
    throw noForm();
  }
  return form;
}

const noForm = () => notFound('form');

const FORMS: CachedRead<Form> = {
  tables: ['forms', 'sub_accounts'],
  text: `select f.id, f.name, f.captcha, f.message, f.redirect_url as "redirectUrl", f.fields,
      coalesce(a.brand, a.name) as brand, a.locale
    from forms f join sub_accounts a on a.id = f.sub_account_id
    where f.sub_account_id = $1 and f.deleted_at is null and a.deleted_at is null`,
};
