import type { Fault } from '../fault.ts';
import type { Json } from '../schema/json.ts';
import type { View } from '../work.ts';

/** Content sent without an envelope: a page, a script, a calendar. */
export interface Document {
  /** The content type. */
  readonly type: string;
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A file that is sent while it is read, of any size. */
export interface Download {
  /** The content type. */
  readonly type: string;
  readonly fileName: string;
  /** Browsers show it instead of saving it. Only for types that cannot run scripts. */
  readonly isInline?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly stream: ReadableStream<Uint8Array>;
}

/** The result of a handler: data for the envelope, a document, or a refusal. */
export interface Reply {
  /** 303 redirects after a submitted form; 400 shows the form again. */
  readonly status?: 200 | 201 | 202 | 302 | 303 | 400;
  /** A value, PostgreSQL's JSON, or a function that reads it once the change is written. */
  readonly data: unknown;
  readonly document?: Document;
  /**
   * Returns the whole document, unless the client already has the version in the ETag of `document`, which
   * then has no body. Only GET pages have it.
   */
  readonly build?: () => Promise<Document>;
  readonly download?: Download;
  /** Further response headers, such as a cookie. A replay of the response does not repeat them. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent instead of the data; the change itself is committed. */
  readonly refusal?: Fault;
  readonly meta?: object;
  /** In a list: the position where the next page begins, null on the last page. A feed always has one. */
  readonly next?: string | null;
  /** In a feed: whether more rows exist now. In a list this follows from `next`. */
  readonly more?: boolean;
}

/** Reads the data of a reply once the change is written. */
export type DeferredData = (view: View) => Promise<Json | undefined>;
