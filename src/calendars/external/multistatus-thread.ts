import { serveThread } from '#platform/process/guarded-thread.ts';
import { parseMultistatus } from './parse-multistatus.ts';

/** Runs in its own thread: a calendar server decides how long it takes. */
serveThread(async (xml: Uint8Array) => parseMultistatus(xml));
