import { rightSchedule } from '#platform/queue/repair-schedule.ts';
import { expect, test } from '../../support/service.ts';

test('what a machine whose clock was ahead has scheduled holds up no other one', async ({
  service,
}) => {
  const { database } = service;
  await database.rows(`insert into graphile_worker._private_known_crontabs
    (identifier, known_since, last_execution)
    values ('test/ahead', now(), now() + interval '1 d'), ('test/right', now(), now())`);
  await rightSchedule(database.pool);
  const late = await database.rows(`select identifier from graphile_worker._private_known_crontabs
    where last_execution > now()`);
  expect(late).toEqual([]);
});
