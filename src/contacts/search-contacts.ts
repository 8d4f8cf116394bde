import { pageSize } from '#core/endpoint/paging.ts';
import type { Reply } from '#core/endpoint/reply.ts';
import { pageWithTotal, readPage } from '#platform/database/pages.ts';
import { textOf } from '#core/schema/wire-row.ts';
import type { View } from '#core/work.ts';
import { liveContacts } from './contact.store.ts';

interface ContactSearch {
  readonly query: { readonly limit?: number };
  readonly search: string;
  /** The id after which the page begins. */
  readonly after: string | undefined;
}

/**
 * Returns a page of the contacts whose names, email or company contain a text, newest first; `total`
 * counts every match. Hot (bench: search-contacts), hence SQL: each kind of text has a statement of
 * its own, which reads as little as possible.
 */
export async function searchContacts(
  view: View,
  { query, search, after }: ContactSearch,
): Promise<Reply> {
  const size = pageSize(query);
  const text = search.trim();
  const values = [view.subAccountId, text, ...(after === undefined ? [] : [after])];
  const share = await shareOfNewest(view, text);
  const window = {
    before: after === undefined ? '' : 'and c.id < $3::uuid',
    limit: `order by id desc limit ${size + 1}`,
  };
  const found = matchesOf({ hasTrigrams: TRIGRAM.test(text) && share < TEXTS_FROM });
  const statement = share < FREQUENT_FROM ? listed(found, window) : counted(found, window);
  const page = await view.wirePage(statement, values, size);
  const { data, total, next } = await readPage(view, liveContacts.record, page);
  return { data, meta: { total }, next };
}

/** The trigram index knows texts with three letters or digits in a row. */
const TRIGRAM = /[\p{L}\p{N}]{3}/u;

const SAMPLE = 1_000;
/** From this share on, the newest matches are found among the newest contacts. */
const FREQUENT_FROM = 0.02;
/** From this share on, reading every text is cheaper than fetching the rows that an index finds. */
const TEXTS_FROM = 0.1;

/** Returns the share of the newest contacts that contain a text. */
async function shareOfNewest(view: View, text: string): Promise<number> {
  const [row] = await view.wireRows(SHARE, [view.subAccountId, text]);
  return Number(textOf(row, 0) ?? 0) / SAMPLE;
}

const LIVE = 'c.sub_account_id = $1 and c.deleted_at is null';
/** The conditions of the two indexes that `contacts_by_text` and `contacts_by_long_text` are for. */
const SHORT = `${LIVE} and octet_length(c.search_text) <= 2000`;
const LONG = `${LIVE} and octet_length(c.search_text) > 2000`;

/**
 * Computed once per statement. Under another collation than the trigram index's, the planner does not
 * consider that index, of which it would read everything for a text without trigrams.
 */
const CONTAINS = `c.search_text collate "C" like (select containing($2))`;
const CONTAINS_TRIGRAMS = 'c.search_text like (select containing($2))';

const SHARE = `select count(*) from (
    select c.search_text from contacts c where ${SHORT} order by c.id desc limit ${SAMPLE}
  ) as c where ${CONTAINS}`;

interface Window {
  readonly before: string;
  readonly limit: string;
}

/** The rows that match, as parts without common rows: each part has an index. */
const matchesOf = ({ hasTrigrams }: { readonly hasTrigrams: boolean }): readonly string[] =>
  hasTrigrams
    ? [`contacts c where ${LIVE} and ${CONTAINS_TRIGRAMS}`]
    : TEXTS.map((part) => `contacts c where ${part}`);

const TEXTS = [`${SHORT} and ${CONTAINS}`, `${LONG} and ${CONTAINS}`];

/**
 * Finds every matching id first, then the newest of them: given the limit at once, the planner would
 * test row after row, which takes a second for a rare text.
 */
function listed(matches: readonly string[], { before, limit }: Window): string {
  const ids = matches.map((part) => `select c.id from ${part}`).join(' union all ');
  const newest = `select c.id from hits c where true ${before} ${limit}`;
  return `with hits as materialized (${ids})
    ${pageWithTotal('select count(*) from hits', recordsOf(newest))}`;
}

/** Counts the matches without keeping their ids, and walks from the newest contact to the next matches. */
function counted(matches: readonly string[], { before, limit }: Window): string {
  const total = matches.map((part) => `(select count(*) from ${part})`).join(' + ');
  const walks = TEXTS.map(
    (part) => `(select c.id from contacts c where ${part} ${before} ${limit})`,
  );
  return pageWithTotal(`select ${total}`, recordsOf(`${walks.join(' union all ')} ${limit}`));
}

/** An array, found once: a join would find the ids again for each contact of an unanalysed sub-account. */
const recordsOf = (ids: string): string =>
  `select ${liveContacts.record.members} from contacts c
   where c.sub_account_id = $1 and c.id = any(array(${ids}))`;
