import { databaseText } from '../backup/describe-target.ts';
import { processEnvironment, upFolderOf } from '#platform/config/environment-file.ts';

/** The installation that the settings choose. */
export interface InstallationPlace {
  /** The URL of its database. */
  readonly url: string;
  /** For questions: the data folder of `up`, if there is one, and the database, without a password. */
  readonly text: string;
}

/** Names the installation, since the settings may be those of another one. */
export function installationPlace(): InstallationPlace {
  const environment = processEnvironment(['databaseUrl']);
  const { databaseUrl, databaseSessionUrl: url = databaseUrl } = environment;
  const folder = upFolderOf(process.env);
  const text = `${folder === undefined ? '' : `${folder}, `}database ${databaseText(url)}`;
  return { url, text };
}
