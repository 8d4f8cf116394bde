import type { Work } from '#core/work.ts';

/** The author of an outbound message. */
export interface Author {
  /** The user of the console. */
  readonly authorId: string | null;
  /** The name that visitors see. */
  readonly authorName: string | null;
}

export const NO_AUTHOR: Author = { authorId: null, authorName: null };

/**
 * Returns the author of a message that is being written: the user of the console, by their name in the
 * team if they have one. Other callers have no name of their own: visitors see the assigned team member's.
 */
export async function findAuthor(work: Work, assigneeName: string | null): Promise<Author> {
  const { actor, subAccountId } = work;
  const [user] =
    actor.kind === 'user' ? await work.rows<Author>(USER, [subAccountId, actor.name]) : [];
  return user ?? { authorId: null, authorName: assigneeName };
}

const USER = `select u.id as "authorId", coalesce((
    select t.name from team_members t
    where t.sub_account_id = $1 and lower(t.email) = u.email order by t.id limit 1
  ), u.name) as "authorName"
  from users u where u.email = lower($2)`;
