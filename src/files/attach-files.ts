import { invalidField } from '#core/fault.ts';
import type { Work } from '#core/work.ts';

/** A file that a message will carry. */
export interface AttachedFile {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
}

/**
 * Locks uploaded files that belong to no message yet, in the given order. A visitor can use only the
 * files of their own chat, and the team none of those. Throws VALIDATION_ERROR for any other id.
 */
export async function lockUploaded(
  work: Work,
  ids: readonly string[],
  sessionId: string | null = null,
): Promise<AttachedFile[]> {
  const rows = await work.rows<AttachedFile>(LOCK, [work.subAccountId, ids, sessionId]);
  const found = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id, index) => {
    const file = found.get(id.toLowerCase());
    if (!file) {
      const message = 'must be the id of an uploaded file that no message has yet';
      throw invalidField(`/attachmentIds/${index}`, message);
    }
    return file;
  });
}

const LOCK = `select id, name, type, size from files
  where sub_account_id = $1 and id = any($2::uuid[]) and message_id is null and form_id is null
    and state = 'stored' and session_id is not distinct from $3::uuid
  order by id for update`;

/** Gives locked files to a message whose row is written before. */
export function attachFiles(work: Work, messageId: string, ids: readonly string[]): void {
  if (ids.length > 0) {
    work.write(ATTACH, [work.subAccountId, messageId, ids]);
  }
}

const ATTACH = `update files f set message_id = $2, position = given.place
  from unnest($3::uuid[]) with ordinality as given (id, place)
  where f.sub_account_id = $1 and f.id = given.id`;

/**
 * Gives a message the same files as another one: they share their contents. The lock keeps a deletion of
 * the other message waiting until these rows are there.
 */
export function copyFiles(
  work: Work,
  { from, to }: { readonly from: string; readonly to: string },
) {
  work.write(COPY, [work.subAccountId, from, to, work.now]);
}

const COPY = `insert into files (sub_account_id, id, content_id, state, name, type, size, refused,
    message_id, position, created_at)
  select sub_account_id, gen_random_uuid(), content_id, state, name, type, size, refused, $3::uuid,
    position, $4
  from files where sub_account_id = $1 and message_id = $2 and state <> 'pending' for key share`;
