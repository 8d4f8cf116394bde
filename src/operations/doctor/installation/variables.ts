import { counted } from '#lib/counted.ts';
import { ok, warn, type Check } from '../check.ts';

/** Finds misspelt variables: nothing reads them. */
export const variables: Check = {
  name: 'variables',
  async examine({ unknownVariables }) {
    const { length } = unknownVariables;
    return length === 0
      ? ok('all variables that begin with FRONTDESK_ are known')
      : warn(
          unknownVariables.join(', '),
          `correct or remove ${counted(length, 'variable')}; config/frontdesk.example.env lists all`,
        );
  },
};
