import { parentPort, workerData } from 'node:worker_threads';
import { busyIn, type BusyQuestion } from './busy-in.ts';

/** Runs in a thread of its own, which is ended where somebody's calendar takes too long. */
const { texts, question } = workerData as { texts: readonly string[]; question: BusyQuestion };
const found = texts.flatMap((text) => busyIn(text, question));
parentPort?.postMessage(found, []);
