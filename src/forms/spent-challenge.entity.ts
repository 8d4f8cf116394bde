import { defineEntity, p } from '@mikro-orm/core';
import { recordKey } from '#platform/database/columns.ts';

const SpentChallengeTable = defineEntity({
  name: 'SpentChallenge',
  tableName: 'spent_challenges',
  properties: {
    ...recordKey(),
    expiresAt: p.datetime(),
  },
});

/** A challenge that was used. The sub-account is the nil UUID if the challenge was issued for any form. */
export class SpentChallenge extends SpentChallengeTable.class {}
SpentChallengeTable.setClass(SpentChallenge);
