import type { View } from '#core/work.ts';
import { HONEYPOT } from './challenge/honeypot.ts';
import { theForm } from './the-form.ts';

/** What a site needs to show the form; which fields of a contact take the values is not its business. */
export async function readConfig(view: View, formId: string, baseUrl: string) {
  const { id, brand, name, captcha, fields } = await theForm(view, formId);
  return {
    formId: id,
    subAccountId: view.subAccountId,
    brand,
    name,
    captcha,
    honeypot: HONEYPOT,
    pageUrl: `${baseUrl.replace(/\/$/, '')}/f/${id}`,
    fields: fields.map(({ name, label, type, required, options }) => {
      return { name, label, type, required, options };
    }),
  };
}
