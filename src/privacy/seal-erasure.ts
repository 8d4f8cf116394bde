import type { Secrets } from '#core/secrets.ts';

/** Encrypts what a job of a sub-account keeps about a person. */
export const sealed = (secrets: Secrets, place: SealedPlace, value: object): string =>
  secrets.seal(JSON.stringify(value), textOf(place)).toString('base64');

/** Returns undefined after the sub-account was moved here: its old installation has the key. */
export function opened(secrets: Secrets, place: SealedPlace, text: string): unknown {
  try {
    return JSON.parse(secrets.open(Buffer.from(text, 'base64'), textOf(place)));
  } catch {
    return undefined;
  }
}

interface SealedPlace {
  readonly job: { readonly name: string };
  readonly subAccountId: string;
}

const textOf = ({ job, subAccountId }: SealedPlace): string => `${job.name}:${subAccountId}`;
