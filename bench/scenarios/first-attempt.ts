import { setTimeout as sleep } from 'node:timers/promises';
import type { Arrival } from '../baselines/sink.ts';
import type { Ground } from '../ground.ts';
import { UNIQUE } from '../hammer.ts';
import { machineMs } from '../machine.ts';
import { startReceiver, subscribe } from '../receiver.ts';
import { NEW_CONTACT } from '../sample.ts';
import { latencyScenario } from '../scenario.ts';
import { startWorkerProcess, until } from '../processes.ts';

const AT_MOST_MS = 100;
const CONTACTS = 60;
/** Contacts before the measurement, so that both processes have loaded their code. */
const WARM_UP = 5;
const PAUSE_MIN_MS = 80;
const PAUSE_MAX_MS = 150;
const ARRIVE_MS = 10_000;

/** Measures how long a webhook takes on an idle system. */
export const firstAttempt = latencyScenario({
  name: 'first-attempt',
  what: "p95 from the contact's response to the webhook's arrival, idle",
  atMostMs: AT_MOST_MS,
  timesOf: waitsOf,
});

async function waitsOf(ground: Ground): Promise<number[]> {
  const receiver = await startReceiver(ground);
  await startWorkerProcess(ground);
  await subscribe(ground, ground.spare.id, receiver);
  const answeredAt = new Map<string, number>();
  for (let n = 0; n < WARM_UP + CONTACTS; n += 1) {
    const id = await createContact(ground);
    answeredAt.set(id, machineMs());
    await sleep(PAUSE_MIN_MS + Math.random() * (PAUSE_MAX_MS - PAUSE_MIN_MS));
  }
  await until(ARRIVE_MS, 'every webhook has arrived', async () => {
    const { count } = await receiver.count();
    return count >= answeredAt.size;
  });
  const arrivedAt = new Map((await receiver.arrivals()).map((one) => [contactOf(one), one.atMs]));
  const waits = [...answeredAt].map(([id, at]) => (arrivedAt.get(id) ?? Number.NaN) - at);
  return waits.slice(WARM_UP);
}

async function createContact({ product, spare }: Ground): Promise<string> {
  const unique = String(machineMs() * 1e6).padStart(UNIQUE.length, '0');
  const answer = await fetch(`${product.url}/api/v1/contacts`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: spare.authorization.replace('authorization: ', ''),
    },
    body: NEW_CONTACT.replace(UNIQUE, unique),
  });
  const { data } = (await answer.json()) as { data: { id: string } };
  return data.id;
}

const contactOf = ({ body }: Arrival): string => JSON.parse(body).data.contactId;
