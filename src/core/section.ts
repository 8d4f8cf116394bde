import { pattern } from './schema/describe-error.ts';
import { Type, type Static, type TSchema } from 'typebox';
import type { Secrets } from './secrets.ts';
import type { Work } from './work.ts';

/** An issue of an entry, at a JSON pointer below the entry. */
export interface EntryIssue {
  readonly path: string;
  readonly message: string;
}

/** A reference to an entry of another section, at a JSON pointer below the referring entry. */
interface Reference {
  readonly section: string;
  readonly key: string;
  readonly path: string;
  /** The message if it is missing; by default a message that names the section. */
  readonly message?: string;
}

/** The fields of a section's entries that accept `${env:NAME}`. */
interface EnvironmentFields {
  /** Matches their JSON pointers below the entry. */
  readonly path: RegExp;
  /** Matches fields that accept a reference as their whole text only: a variable that holds a URL. */
  readonly wholePath?: RegExp;
  /** Matches fields that decide where the values are sent. */
  readonly destination?: RegExp;
  /** Names the fields in messages. */
  readonly label: string;
}

/** Returns the id of an entry of an earlier section. */
export type IdOf = (section: string, key: string) => string;

/** What sections use besides the database. */
export interface SectionTools {
  /** Undefined in exports, which open no secret, and without the secret key. */
  readonly secrets?: Secrets | undefined;
}

interface RemovalTools extends SectionTools {
  /** The id of the team member that takes over the appointments of a removed one. */
  readonly reassignTo?: string | undefined;
}

/**
 * A section of the manifest: its schema, plan, apply, export and docs derive from this. `G` is an entry as
 * written, `W` the entry with its defaults, `R` its row.
 */
export interface Section<G = any, W = any, R = any> {
  /** The manifest's member. */
  readonly name: string;
  readonly summary: string;
  /**
   * What identifies entries: this field of a list's entries, their name in a map, or nothing if the
   * section is a single group of settings.
   */
  readonly match: 'key' | 'name' | 'slug' | 'member' | 'only';
  /** The schema of one entry. Editors show `title` and `description`. */
  readonly schema: TSchema;
  /** Returns issues that a schema cannot express. */
  readonly check?: (given: G, key: string) => readonly EntryIssue[];
  readonly references?: (given: G) => readonly Reference[];
  /** The list of an entry whose members have keys of their own. */
  readonly nested?: 'stages' | 'types';
  /** Keys nested in an entry that other sections refer to: `{stages: ['sales/new']}`. */
  readonly nestedKeysOf?: (wanted: W) => Readonly<Record<string, readonly string[]>>;
  /** Returns why an entry is skipped, or undefined if it can be applied. */
  readonly skip?: (work: Work, given: G, row: R | undefined) => Promise<string | undefined>;
  /** Adds the defaults, so that equal entries compare equal. */
  readonly complete: (given: G, stored: W | undefined) => W;
  /** Returns warnings about changing this entry. */
  readonly cautions?: (stored: W, wanted: W) => readonly string[];
  /** Returns warnings about a new or changed entry that depend on the whole installation. */
  readonly cautionsAbroad?: (work: Work, wanted: W) => Promise<readonly string[]>;
  /** Returns all rows of the sub-account, in the order of the export. */
  readonly load: (work: Work, tools: SectionTools) => Promise<readonly R[]>;
  /** Returns the key of a row of a map; other sections have it in their entries. */
  readonly keyOf?: (row: R) => string;
  readonly valueOf: (row: R) => W;
  /** Returns the exported entry if it has more than the compared one. */
  readonly exportOf?: (row: R) => unknown;
  /** The paths of members of an entry that are never exported, and masked in plans. */
  readonly secrets?: RegExp;
  /** The paths of members that hold free JSON, in which null is a value. */
  readonly freeJson?: RegExp;
  /** The fields of an entry that accept `${env:NAME}`; by default none. */
  readonly environment?: EnvironmentFields;
  /** Returns the id of a row: in the response under `ids`, and for references of other sections. */
  readonly idOf?: (row: R) => string;
  /** Returns ids of nested entries: `{stages: {'sales/new': id}}`. */
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
  /** Without it, `--prune` does not delete entries of the section. */
  readonly remove?: (work: Work, row: R, tools: RemovalTools) => void | Promise<void>;
  /**
   * Writes what follows from all changes of the section, as the last part of the transaction: it may take locks
   * that delay other sub-accounts. A dry run does not call it.
   */
  readonly finish?: (work: Work) => Promise<void>;
  /** Moves a row to an index, if the order of the list matters. */
  readonly place?: (row: R, position: number) => void;
}

/** The pattern of keys, which are used in other sections, in URLs and in ids such as `sales/new`. */
export const KEY_PATTERN = '^[A-Za-z0-9][A-Za-z0-9_-]*$';
const KEY_MAX = 64;

export const key = (options: Readonly<Record<string, unknown>> = {}) =>
  Type.String({
    ...pattern(
      KEY_PATTERN,
      'must start with a letter or digit and contain only letters A to Z, digits, _ and -',
    ),
    maxLength: KEY_MAX,
    ...options,
  });

export const defineSection = <S extends TSchema, W, R>(
  section: Omit<Section<Static<S>, W, R>, 'schema'> & { readonly schema: S },
): Section => section;
