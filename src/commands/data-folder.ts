import { dirname } from 'node:path';

/** Returns the folder of `frontdesk up`, which contains its environment file. */
export const dataFolder = (): string =>
  dirname(process.env['FRONTDESK_ENV_FILE'] ?? 'package.json');
