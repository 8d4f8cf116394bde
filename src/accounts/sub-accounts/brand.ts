import type { Document } from '#core/endpoint/reply.ts';
import type { Fault } from '#core/fault.ts';
import type { CachedRead, View } from '#core/work.ts';
import type { Brand } from '#lib/brand.ts';
import type { Language } from '#lib/page-parts.ts';
import type { AddedLanguages } from '#lib/translate.ts';

/** A brand, and the languages that the sub-account added for its pages. */
type BrandOfPage = Brand & { readonly languages: AddedLanguages };

/** Returns how customers see the sub-account, from the cache; undefined if it is unknown or deleted. */
export async function readBrand(view: View): Promise<BrandOfPage | undefined> {
  const [brand] = await view.cached(BRAND);
  return brand;
}

const BRAND: CachedRead<BrandOfPage> = {
  tables: ['sub_accounts'],
  text: `select coalesce(brand, name) as name, brand_color as color, logo_url as "logoUrl", languages
    from sub_accounts where id = $1 and deleted_at is null`,
};

const SERVER_ERROR = 500;

interface ErrorPage<M> {
  readonly status: number;
  readonly brand: Brand | undefined;
  readonly language: Language<M>;
}

/** Returns the error page of an area, with the brand of the sub-account in the browser's language. */
export const brandedErrorPage =
  <M>(
    languageOf: (locale: string, added?: AddedLanguages) => Language<M>,
    render: (page: ErrorPage<M>) => Document,
  ) =>
  async ({ status }: Fault, locale: string, view: View | undefined): Promise<Document> => {
    const brand = await brandOfError(status, view);
    return render({ status, brand, language: languageOf(locale, brand?.languages) });
  };

/**
 * Returns the brand for an error page; undefined if the address names no sub-account, or if the server
 * fails: the page must not need what has just failed.
 */
async function brandOfError(
  status: number,
  view: View | undefined,
): Promise<BrandOfPage | undefined> {
  if (!view || status >= SERVER_ERROR) {
    return undefined;
  }
  return readBrand(view).catch(() => undefined);
}
