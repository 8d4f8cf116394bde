import { compare } from '../compare.ts';
import { requestText } from '../hammer.ts';
import { createRequest, NEW_CONTACT } from '../sample.ts';
import type { Scenario } from '../scenario.ts';

const AT_LEAST = 0.7;

export const createContact: Scenario = {
  name: 'create-contact',
  async measure(ground) {
    const { spare } = ground;
    const sides = {
      what: 'with its event committed; bare: the insert alone',
      bare: [requestText(`POST /contacts/${spare.id}`, [], NEW_CONTACT)],
      product: [createRequest(spare)],
      bound: { atLeast: AT_LEAST },
    };
    return [await compare(ground, sides)];
  },
};
