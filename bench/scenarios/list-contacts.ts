import { compare } from '../compare.ts';
import { requestText } from '../hammer.ts';
import { getRequest } from '../sample.ts';
import type { Scenario } from '../scenario.ts';

const AT_LEAST = 0.9;

export const listContacts: Scenario = {
  name: 'list-contacts',
  async measure(ground) {
    const { small } = ground;
    const sides = {
      what: 'newest 50 with total; bare: total from a counter row',
      bare: [requestText(`GET /contacts/${small.id}`)],
      product: [getRequest(small, '/api/v1/contacts')],
      bound: { atLeast: AT_LEAST },
    };
    return [await compare(ground, sides)];
  },
};
