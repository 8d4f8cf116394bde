import { Type, type Static } from 'typebox';
import * as s from '#core/schema/schema.ts';

/** Where the path of a file's content begins. */
export const FILES_PATH = '/api/v1/files/';

/** How many files a message may have. */
export const FILES_MAX = 10;

const NAME_EXAMPLE = 'x-ray.png';

/** A file of a message or a submission, as every endpoint and event shows it. */
export const fileSchema = Type.Object(
  {
    id: s.uuid(),
    name: Type.String({ examples: [NAME_EXAMPLE] }),
    type: Type.String({ description: 'the content type', examples: ['image/png'] }),
    size: s.nullable(
      Type.Integer({ description: 'bytes; null if it is not known', examples: [48_213] }),
    ),
    url: s.nullable(
      Type.String({
        description:
          'the path of the content on this server; null while it is being fetched, and if the file was refused',
        examples: [`${FILES_PATH}0198c0de-0000-7000-8000-00000000f11e`],
      }),
    ),
    refused: s.nullable(
      Type.String({ description: 'why there is no content, for people', examples: [null] }),
    ),
  },
  {},
);
export type FileRecord = Static<typeof fileSchema>;

/** A subquery with the files that a condition finds, as JSON without spaces. */
const filesAsJson = (condition: string, order: string): string => `array_to_json(array(
  select row_to_json(one) from (
    select f.id, f.name, f.type, f.size,
      case when f.state = 'stored' then '${FILES_PATH}' || f.id end as url, f.refused
    from files f where ${condition} order by ${order}
  ) as one))`;

/** A subquery with the files of message `m` of a sub-account, as JSON in their order. */
export const filesOfMessage = (subAccount: string): string =>
  filesAsJson(`f.sub_account_id = ${subAccount} and f.message_id = m.id`, 'f.position');

/** The same for form submission `s` of sub-account `$1`. */
export const FILES_OF_SUBMISSION = filesAsJson(
  'f.sub_account_id = $1 and f.submission_id = s.id',
  'f.id',
);

/** The ids of uploaded files, in a request. */
export const attachmentIds = Type.Optional(
  Type.Array(s.uuid(), {
    maxItems: FILES_MAX,
    uniqueItems: true,
    description: 'uploaded files to send with it',
  }),
);

/** The query of an upload. */
export const fileName = s.shortText({ description: 'the name of the file' });

/** Where a file is fetched from after its message arrived. */
export interface FileSource {
  readonly url: string;
  /** Of the channel whose credentials the request needs. */
  readonly channel?: string;
}

/** Returns the record of a file that was just stored. */
export const uploadedFile = ({
  id,
  name,
  type,
  size,
}: Omit<FileRecord, 'url' | 'refused'>): FileRecord => ({
  id,
  name,
  type,
  size,
  url: FILES_PATH + id,
  refused: null,
});
