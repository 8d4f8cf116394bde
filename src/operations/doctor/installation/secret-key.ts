import { refuseWrongKey } from '#platform/config/installation.ts';
import { keyReader, keyReaderFix } from '../../../embedded-postgres/key-reader.ts';
import { Fault } from '#core/fault.ts';
import { fail, ok, warn, type Check } from '../check.ts';

/** The message of a command ends with what to do, which `doctor` prints apart. */
const problemAndFix = (message: string): readonly [problem: string, fix: string] => {
  const [problem = message, ...fix] = message.split(': ');
  return [problem, fix.join(': ')];
};

export const secretKey: Check = {
  name: 'secret key',
  async examine({ rows, secrets, folders }) {
    if (!secrets) {
      return warn('FRONTDESK_SECRET_KEY is not set, so the key was not checked', 'set it');
    }
    try {
      await refuseWrongKey({ rows }, secrets);
      for (const folder of folders) {
        const user = await keyReader(folder);
        if (user !== undefined) {
          return warn(
            `${folder} belongs to the user ${user}, who also runs PostgreSQL and can read secret-key`,
            keyReaderFix(folder),
          );
        }
      }
      return ok('FRONTDESK_SECRET_KEY is the key of this database');
    } catch (error) {
      if (error instanceof Fault) {
        return fail(...problemAndFix(error.message));
      }
      throw error;
    }
  },
};
