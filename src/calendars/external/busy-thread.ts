import { type BusyQuery, parseBusy } from './parse-busy.ts';
import { parentPort, workerData } from 'node:worker_threads';

/** Runs in its own thread, which is terminated if a calendar takes too long to parse. */
const { texts, query } = workerData as { texts: readonly string[]; query: BusyQuery };
parentPort?.postMessage(parseBusy(texts, query), []);
