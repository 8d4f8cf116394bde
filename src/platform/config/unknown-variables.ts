import { didYouMean } from '#core/schema/did-you-mean.ts';
import { VARIABLES } from './environment.ts';

const PREFIX = 'FRONTDESK_';

/** Names of the settings, without the prefix that all of them have. */
const SETTINGS = new Map(
  Object.values(VARIABLES).map(({ name }) => [withoutPrefix(name), name] as const),
);

/** Read apart from the settings, or set for the commands of the documentation. */
const OTHERS = new Set(['FRONTDESK_ENV_FILE', 'FRONTDESK_URL', 'FRONTDESK_AGENCY_KEY']);

/** Kubernetes sets these for a service of the name `frontdesk`; tests set their own. */
const OF_OTHER_PROGRAMS = /^FRONTDESK_(?:SERVICE_(?:HOST|PORT)|PORT_\d+_|TEST_)/;

/** Returns a text for each variable that looks like a setting of Frontdesk and is none. */
export const unknownVariables = (
  source: Readonly<Record<string, string | undefined>>,
): readonly string[] =>
  Object.keys(source)
    .filter((name) => name.startsWith(PREFIX) && !isKnown(name))
    .map((name) => `${name} is not a variable of Frontdesk${suggestion(name)}`);

const isKnown = (name: string): boolean =>
  OTHERS.has(name) || OF_OTHER_PROGRAMS.test(name) || isSetting(name) || isSecretFile(name);

const isSetting = (name: string): boolean => SETTINGS.get(withoutPrefix(name)) === name;

/** NAME_FILE names the file of a secret. */
const isSecretFile = (name: string): boolean =>
  Object.values(VARIABLES).some((one) => 'secret' in one && name === `${one.name}_FILE`);

/** Compared without the prefix: it would make all names similar. */
function suggestion(name: string): string {
  const [, similar = ''] = /"(.+)"/.exec(didYouMean(withoutPrefix(name), SETTINGS.keys())) ?? [];
  const found = SETTINGS.get(similar);
  return found === undefined ? '' : `; did you mean ${found}?`;
}

function withoutPrefix(name: string): string {
  return name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name;
}
