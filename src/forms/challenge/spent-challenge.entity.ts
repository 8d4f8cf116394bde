import { defineEntity, p } from '@mikro-orm/core';

const SpentChallengeTable = defineEntity({
  name: 'SpentChallenge',
  tableName: 'spent_challenges',
  properties: {
    subAccountId: p.uuid().primary(),
    id: p.uuid().primary(),
    expiresAt: p.datetime(),
  },
});

/** A solved challenge, which counts once. The nil UUID is the sub-account of a challenge made for any. */
export class SpentChallenge extends SpentChallengeTable.class {}
SpentChallengeTable.setClass(SpentChallenge);
