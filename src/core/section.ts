import { Type, type Static, type TSchema } from 'typebox';
import type { Secrets } from './secrets.ts';
import type { Work } from './work.ts';

/** Something that does not fit, at a JSON pointer below the entry it is said of. */
export interface Issue {
  readonly path: string;
  readonly message: string;
}

/** An entry of another section that an entry names, at a JSON pointer below the naming one. */
interface Reference {
  readonly section: string;
  readonly key: string;
  readonly path: string;
  /** What is said where it is missing, instead of naming the section. */
  readonly message?: string;
}

/** Which fields of a section's entries take `${env:NAME}`. */
interface EnvironmentFields {
  /** Matches their JSON pointers below the entry. */
  readonly path: RegExp;
  /** Names the fields in messages. */
  readonly label: string;
}

/** The id of an entry of a section that stands earlier in the list. */
export type IdOf = (section: string, key: string) => string;

/** What sections work with beside the database. */
export interface SectionTools {
  /** Not there for an export, which opens no secret, and where the key is not at hand. */
  readonly secrets?: Secrets | undefined;
}

interface RemovalTools extends SectionTools {
  /** The id of the team member who takes over upcoming appointments of a removed member. */
  readonly reassignTo?: string | undefined;
}

/**
 * A section of the manifest; its schema, planning, applying, exporting and its place in the docs
 * derive from this. `G` is an entry as it is written, `W` the whole entry with everything that may
 * be left out, `R` the row behind it.
 */
export interface Section<G = any, W = any, R = any> {
  /** The manifest's member. */
  readonly name: string;
  readonly summary: string;
  /**
   * How entries are told apart: by that field of a list's entries, by their member in a map, or not
   * at all where the section is one set of settings.
   */
  readonly match: 'key' | 'name' | 'slug' | 'member' | 'only';
  /** Of one entry. `title` and `description` are shown to whoever writes a manifest. */
  readonly schema: TSchema;
  /** What a schema cannot say about an entry. */
  readonly check?: (given: G, key: string) => readonly Issue[];
  readonly references?: (given: G) => readonly Reference[];
  /** Keys nested in an entry that other sections refer to: `{stages: ['sales/new']}`. */
  readonly nestedKeysOf?: (wanted: W) => Readonly<Record<string, readonly string[]>>;
  /** Returns why an entry cannot be applied now and is skipped; undefined where it can be. */
  readonly skip?: (work: Work, given: G, row: R | undefined) => Promise<string | undefined>;
  /** Fills in what is left out, so that equal entries compare equal. */
  readonly complete: (given: G, stored: W | undefined) => W;
  /** What a person should know before this entry is changed. */
  readonly cautions?: (stored: W, wanted: W) => readonly string[];
  /** The same of an entry that is new or changes, in view of the whole installation. */
  readonly cautionsAbroad?: (work: Work, wanted: W) => Promise<readonly string[]>;
  /** Every row of the sub-account, in the order in which it is exported. */
  readonly load: (work: Work, tools: SectionTools) => Promise<readonly R[]>;
  /** The key of a row of a map; other sections have it in their entries. */
  readonly keyOf?: (row: R) => string;
  readonly valueOf: (row: R) => W;
  /** What is exported, where it is more than what entries are compared with. */
  readonly exportOf?: (row: R) => unknown;
  /** Members of an entry, at any depth, that are stored and never exported. */
  readonly secrets?: readonly string[];
  /** The fields of an entry that may refer to the environment with `${env:NAME}`; none otherwise. */
  readonly environment?: EnvironmentFields;
  /** Answered under `ids` by the section's name, and what other sections refer to. */
  readonly idOf?: (row: R) => string;
  /** More maps of ids, for what is nested in an entry: `{stages: {'sales/new': id}}`. */
  readonly nestedIdsOf?: (row: R) => Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly create: (
    work: Work,
    wanted: W,
    key: string,
    idOf: IdOf,
    tools: SectionTools,
  ) => R | Promise<R>;
  readonly update: (
    work: Work,
    row: R,
    wanted: W,
    idOf: IdOf,
    tools: SectionTools,
  ) => void | Promise<void>;
  /** Where there is none, `--prune` leaves the section's entries alone. */
  readonly remove?: (work: Work, row: R, tools: RemovalTools) => void | Promise<void>;
  /** Where the order of the list matters: puts a row at a place from 0. */
  readonly place?: (row: R, position: number) => void;
}

/** What a key may look like: it stands in other sections, in URLs and in ids such as `sales/new`. */
export const KEY_PATTERN = '^[A-Za-z0-9][A-Za-z0-9_-]*$';
const KEY_MAX = 64;

export const key = (options: Readonly<Record<string, unknown>> = {}) =>
  Type.String({ pattern: KEY_PATTERN, maxLength: KEY_MAX, ...options });

export const defineSection = <S extends TSchema, W, R>(
  section: Omit<Section<Static<S>, W, R>, 'schema'> & { readonly schema: S },
): Section => section;
