import type { IncomingRows } from '#core/secrets.ts';

/** Returns a warning for each slug of another sub-account's workflow: calls have no sub-account. */
export async function findSharedSlugs(
  { rows }: Pick<IncomingRows, 'rows'>,
  subAccountId: string,
): Promise<readonly string[]> {
  const shared = await rows<{ slug: string }>(SHARED, [subAccountId]);
  return shared.map(
    ({ slug }) =>
      `${slug} is also the slug of an active workflow of another sub-account: calls of both return 404`,
  );
}

const SHARED = `
  select distinct mine.slug from incoming_workflows mine join workflows other using (slug)
  where mine.deleted_at is null and other.deleted_at is null and mine.active and other.active
    and other.sub_account_id <> $1
  order by mine.slug`;
