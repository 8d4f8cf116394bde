import { FrontdeskError } from '../../../../sdk/src/error.ts';

/** Why the server refused to apply a manifest: another person changed it. */
export interface ChangeMeanwhile {
  readonly entries: readonly { readonly section: string; readonly key: string }[];
  /** The last change of the manifest. */
  readonly by: { readonly name: string; readonly at: string } | null;
}

/** Returns what an error says about a change by another person, if it is about one. */
export const changeMeanwhileOf = (error: unknown): ChangeMeanwhile | undefined =>
  error instanceof FrontdeskError && error.code === 'CHANGED_MEANWHILE'
    ? (error.details as ChangeMeanwhile | undefined)
    : undefined;
