import { takeSentFiles, type SentFile } from '#core/endpoint/form-files.ts';
import type { PrepareContext } from '#core/endpoint/route.ts';
import { Fault, invalid, type Issue } from '#core/fault.ts';
import { newId } from '#lib/id.ts';
import { storeFile } from '../../files/store-file.ts';
import { verifyChallenge } from '../challenge.ts';
import type { FormField } from '../form-entry.ts';
import { limitsOf } from '../file-field.ts';
import { fileFieldsOf, fileIssue, insertFormFile, uploadToken } from '../form-files.ts';
import { theForm, type Form } from '../form.store.ts';
import { HONEYPOT, isCaught } from '../read-fields.ts';
import { inputName, type FilledForm } from './form-view.ts';

interface SentPage extends PrepareContext {
  readonly formId: string;
  readonly filled: FilledForm;
}

/**
 * Stores the files of a form that a browser sent, and puts their tokens into its fields: a form that is
 * refused for another field keeps its files. Robots store nothing. Throws for files that are refused.
 */
export async function storeSentFiles(page: SentPage): Promise<void> {
  const { formId, filled, view, tools } = page;
  const sent = takeSentFiles(filled);
  if (sent.size === 0 || isCaught({ [HONEYPOT]: filled.website })) {
    return;
  }
  const form = await theForm(view, formId);
  const fields = fileFieldsOf(form);
  if (fields.length === 0) {
    throw new Fault('UNSUPPORTED_MEDIA_TYPE', 'this form takes no files');
  }
  if (form.captcha) {
    const token = filled.captchaToken;
    await verifyChallenge(tools.secrets, { token, formId: form.id }, view.now);
  }
  const issues: Issue[] = [];
  for (const field of fields) {
    const file = sent.get(inputName(field.name));
    if (file) {
      await storeSent(page, form, { field, file }).catch((error: unknown) => {
        issues.push(fileIssue(field.name, error));
      });
    }
  }
  if (issues.length > 0) {
    throw invalid(issues);
  }
}

interface FileOfField {
  readonly field: FormField;
  readonly file: SentFile;
}

async function storeSent(
  { filled, view, tools, change }: SentPage,
  { id: formId }: Form,
  { field, file }: FileOfField,
): Promise<void> {
  const { files, secrets } = tools;
  const { subAccountId, now } = view;
  // A refused file replaces an earlier one, too.
  Reflect.deleteProperty(filled, inputName(field.name));
  const limits = limitsOf(field, files.maxBytes);
  const context = { files, subAccountId, change, isOfVisitor: true } as const;
  const stored = await storeFile(context, file, newId(now), limits);
  await change((work) => insertFormFile(work, formId, stored));
  const token = uploadToken(secrets, view, stored.id, { formId, field: field.name });
  Reflect.set(filled, inputName(field.name), token);
}
