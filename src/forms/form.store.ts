import { notFound } from '#core/fault.ts';
import type { CachedRead, View } from '#core/work.ts';
import type { Brand } from '#lib/brand.ts';
import type { AddedLanguages } from '#lib/translate.ts';
import { findOwner } from '../accounts/sub-accounts/sub-account.store.ts';
import type { FormField } from './form-entry.ts';
import { inputAcceptOf, maxBytesOf } from './file-field.ts';
import { HONEYPOT } from './read-fields.ts';

export interface Form {
  readonly id: string;
  readonly name: string;
  readonly captcha: boolean;
  readonly message: string | null;
  readonly redirectUrl: string | null;
  readonly fields: readonly FormField[];
  /** The sub-account's public name. */
  readonly brand: string;
  /** The brand's color and logo. */
  readonly color: string | null;
  readonly logoUrl: string | null;
  readonly locale: string;
  readonly languages: AddedLanguages;
  readonly timezone: string;
}

/** Returns how the business appears on pages. */
export const brandOf = ({ brand: name, color, logoUrl }: Form): Brand => ({ name, color, logoUrl });

/** Returns the sub-account that a form belongs to. Throws `NOT_FOUND` for an unknown form. */
export async function ownerOf(view: View, formId: string): Promise<string> {
  const owner = await findOwner(view, 'forms', formId);
  if (owner === undefined) {
    throw noForm();
  }
  return owner;
}

/** Returns a form from the cache. Throws `NOT_FOUND`. */
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
      coalesce(a.brand, a.name) as brand, a.brand_color as color, a.logo_url as "logoUrl", a.locale,
      a.languages, a.timezone
    from forms f join sub_accounts a on a.id = f.sub_account_id
    where f.sub_account_id = $1 and f.deleted_at is null and a.deleted_at is null`,
};

/** Returns the form as a web site needs it to show it. `mapsTo` stays private. */
export async function readConfig(
  view: View,
  formId: string,
  { baseUrl, filesMaxBytes }: { readonly baseUrl: string; readonly filesMaxBytes: number },
) {
  const { id, brand, name, captcha, fields } = await theForm(view, formId);
  return {
    formId: id,
    subAccountId: view.subAccountId,
    brand,
    name,
    captcha,
    honeypot: HONEYPOT,
    pageUrl: `${baseUrl}/f/${id}`,
    fields: fields.map((field) => {
      const { name, label, type, required, options, step, showIf } = field;
      const more = {
        ...(step && { step }),
        ...(showIf && { showIf }),
        ...(type === 'file' && {
          accept: inputAcceptOf(field),
          maxBytes: maxBytesOf(field, filesMaxBytes),
        }),
      };
      return { name, label, type, required, options, ...more };
    }),
  };
}
