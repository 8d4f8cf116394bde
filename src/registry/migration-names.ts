import { readdirSync } from 'node:fs';

const FOLDER = new URL('../../migrations/', import.meta.url);

/**
 * Names of the steps of the schema, oldest first, for whoever only compares them at a start: to list
 * the folder takes a twentieth of loading what is in it.
 */
export const migrationNames = (): { readonly name: string }[] =>
  readdirSync(FOLDER)
    .filter((file) => file.endsWith('.ts'))
    .sort()
    .map((file) => ({ name: file.slice(0, -'.ts'.length) }));
