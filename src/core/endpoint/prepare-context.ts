import type { Tools } from '../tools.ts';
import type { View, Work } from '../work.ts';

/**
 * What a write is made ready with before its transaction begins: it may use the network, and keeps
 * what it learns by changes of its own.
 */
export interface Beforehand {
  readonly view: View;
  readonly tools: Tools;
  readonly change: (change: (work: Work) => Promise<void>) => Promise<unknown>;
}
