import { expect, test } from 'vitest';
import { takeTurn } from '../../src/campaigns/campaign-turn.ts';
import { mailLines } from '../../src/campaigns/mail-lines.ts';
import { paceOf } from '../../src/campaigns/pace.ts';
import { stockFor } from '../../src/campaigns/stock.ts';
import { mailServer } from '../conversations/sending.support.ts';
import { guests, started, statuses } from './mailing.support.ts';

test('a recipient whose mail ends with an error is unknown, and the others are mailed', async () => {
  const { port } = await mailServer();
  const { sending, id } = await started(port, guests(3), { worker: false });
  const view = sending.openView(sending.subAccountId, new Date());
  const turn = await takeTurn(view);
  const bugs: unknown[] = [];
  await mailLines({
    subAccountId: sending.subAccountId,
    campaignId: id,
    turn: turn?.turn ?? '',
    rows: view.rows,
    onBug: (error) => bugs.push(error),
    mail({ id: line, email }) {
      const said = { errorCode: null, errorMessage: null, waitMs: null, isAttempt: true };
      return email.startsWith('guest101')
        ? Promise.reject(new Error('broken'))
        : Promise.resolve({ id: line, status: 'sent', ...said });
    },
    pace: paceOf(null, performance.now()),
    stock: stockFor(2),
    isOver: () => false,
  });
  expect(await statuses(sending, id)).toEqual({
    guest100: 'sent',
    guest101: 'unknown',
    guest102: 'sent',
  });
  expect(bugs).toMatchObject([{ message: 'broken' }]);
});
