interface Paged<T> {
  readonly data: { readonly pages: readonly { readonly data: readonly T[] }[] } | undefined;
  readonly isPlaceholderData: boolean;
}

/**
 * Returns the rows that were read so far, undefined before the first page. The rows of the filter before
 * stand in for those of a new one, but that there were none says nothing about the new one.
 */
export function rowsOf<T>({ data, isPlaceholderData }: Paged<T>): readonly T[] | undefined {
  const rows = data?.pages.flatMap((page) => page.data);
  return isPlaceholderData && rows?.length === 0 ? undefined : rows;
}
