import { compare } from '../compare.ts';
import { requestText } from '../hammer.ts';
import { getRequest, someContactIds } from '../sample.ts';
import type { Scenario } from '../scenario.ts';

/** The goal after this bound is 1.0. */
const AT_LEAST = 0.85;

export const getContact: Scenario = {
  name: 'get-contact',
  async measure(ground) {
    const { small } = ground;
    const ids = await someContactIds(ground, small);
    const sides = {
      what: 'one contact, at random',
      bare: ids.map((id) => requestText(`GET /contact/${small.id}/${id}`)),
      product: ids.map((id) => getRequest(small, `/api/v1/contacts/${id}`)),
      bound: { atLeast: AT_LEAST },
    };
    return [await compare(ground, sides)];
  },
};
