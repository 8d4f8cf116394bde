import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { type CalendarText, digestOf, textOf } from './digest-calendar.ts';
import { type BusyQuery, parseBusy } from './parse-busy.ts';

/**
 * Runs in its own thread, which is terminated if a calendar takes too long. Posts the calendar's digest,
 * then, for a query, its busy times.
 */
const texts = (workerData as readonly CalendarText[]).map(textOf);
parentPort?.postMessage(digestOf(texts), []);
if (parentPort) {
  const [query] = (await once(parentPort, 'message')) as [BusyQuery];
  parentPort.postMessage(parseBusy(texts, query), []);
}
