import type { Reply } from '#core/endpoint/reply.ts';
import { html, type Html } from './html.ts';
import { addedFor, translate, type AddedLanguages, type ValueNames } from './translate.ts';

/** A page's language: its texts, and the locale for dates and `lang` (BCP 47). */
export interface Language<M> {
  readonly locale: string;
  readonly messages: M;
}

interface LanguageOptions {
  /** Which of the texts that a sub-account added are used. */
  readonly kind: string;
  readonly values: ValueNames;
}

/**
 * Returns a function that finds the language of a locale: the built-in texts, with those that the
 * sub-account added. Locales that are unsupported or invalid get English with British dates.
 */
export function languagesOf<M>(
  messages: Readonly<Record<string, M>> & { readonly en: M },
  options?: LanguageOptions,
) {
  const english: Language<M> = { locale: 'en-GB', messages: messages.en };
  return (locale: string, added: AddedLanguages = {}): Language<M> => {
    const tag = languageCode(locale);
    if (tag === undefined) {
      return english;
    }
    const known = Object.hasOwn(messages, tag) ? messages[tag] : undefined;
    const own = options ? addedFor(locale, options.kind, added) : [];
    if (!known && own.length === 0) {
      return english;
    }
    const texts = own.reduce<M>(
      (before, some) =>
        translate(before as M & object, some, { values: options?.values ?? {}, tag }),
      known ?? messages.en,
    );
    return { locale, messages: texts };
  };
}

/** Returns `de` for `de-AT`, or undefined for an invalid locale, for which `Intl` throws. */
function languageCode(locale: string): string | undefined {
  try {
    return new Intl.Locale(locale).language;
  } catch {
    return undefined;
  }
}

/** The texts of an error page, in each language. */
interface ErrorMessages {
  readonly notFound: string;
  readonly notFoundLead: string;
  readonly tooMany: string;
  readonly tooManyLead: string;
  readonly badRequest: string;
  readonly badRequestLead: string;
  readonly unavailable: string;
  readonly unavailableLead: string;
  readonly noFiles?: string;
  readonly noFilesLead?: string;
  readonly tooLarge?: string;
  readonly tooLargeLead?: string;
}

/** Returns the title and text of an error page with this HTTP status. */
export function errorText(
  status: number,
  messages: ErrorMessages,
): { readonly title: string; readonly lead: string } {
  const { noFiles, noFilesLead, tooLarge, tooLargeLead } = messages;
  switch (status) {
    case 404:
      return { title: messages.notFound, lead: messages.notFoundLead };
    case 429:
      return { title: messages.tooMany, lead: messages.tooManyLead };
    case 500:
    case 503:
      return { title: messages.unavailable, lead: messages.unavailableLead };
    case 413:
      return tooLarge && tooLargeLead
        ? { title: tooLarge, lead: tooLargeLead }
        : { title: messages.badRequest, lead: messages.badRequestLead };
    default:
      return status === 415 && noFiles && noFilesLead
        ? { title: noFiles, lead: noFilesLead }
        : { title: messages.badRequest, lead: messages.badRequestLead };
  }
}

interface WrongField {
  /** The id of its input. */
  readonly id: string;
  readonly label: string;
  readonly error: string | undefined;
}

/** Returns the summary above a refused form, which links to each wrong field. */
export const errorSummary = (text: string, fields: readonly WrongField[]): Html =>
  html`<div class="alert" role="alert" id="problem" tabindex="-1">
    <p>${text}</p>
    ${
      fields.length > 0 &&
      html`<ul>
        ${fields.map(
          ({ id, label, error }) => html`<li><a href="#${id}">${label}</a>: ${error}</li>`,
        )}
      </ul>`
    }
  </div>`;

/** Returns the redirect after a form, so that reloading the result does not send the form again. */
export const seeOther = (location: string, headers: Readonly<Record<string, string>>): Reply => ({
  status: 303,
  data: null,
  document: {
    type: 'text/html; charset=utf-8',
    body: '',
    headers: { ...headers, location },
  },
});
