import type { Ground } from './ground.ts';
import { hammer, type Load, type Round } from './hammer.ts';
import { median } from './statistics.ts';
import type { Bound, Finding } from './scenario.ts';

const CONNECTIONS = 32;

type Sides = {
  readonly what: string;
  readonly bare: readonly string[];
  readonly product: readonly string[];
  readonly bound?: Bound;
};

/** Loads the bare server and the product alternately, so that disturbances affect both. */
export async function compare(ground: Ground, sides: Sides): Promise<Finding> {
  const bare = loadOf(ground, ground.bare.url, sides.bare);
  const product = loadOf(ground, ground.product.url, sides.product);
  await warmUp(ground, [bare, product]);
  const pairs: { readonly bare: Round; readonly product: Round }[] = [];
  for (let round = 0; round < ground.sizing.rounds; round += 1) {
    pairs.push({ bare: await hammer(bare), product: await hammer(product) });
  }
  return {
    what: sides.what,
    unit: 'requests/s',
    bare: median(pairs.map((pair) => pair.bare.perSecond)),
    product: median(pairs.map((pair) => pair.product.perSecond)),
    ratio: median(pairs.map((pair) => pair.product.perSecond / pair.bare.perSecond)),
    ...(sides.bound && { bound: sides.bound }),
    p50Ms: median(pairs.map((pair) => pair.product.p50Ms)),
    p99Ms: median(pairs.map((pair) => pair.product.p99Ms)),
  };
}

/** Loads the product with each list in turn; returns the rounds of each list. */
export async function alternate(
  ground: Ground,
  lists: readonly (readonly string[])[],
  connections = CONNECTIONS,
): Promise<Round[][]> {
  const loads = lists.map((requests) =>
    loadOf(ground, ground.product.url, requests, { connections }),
  );
  await warmUp(ground, loads);
  const rounds: Round[][] = loads.map(() => []);
  for (let round = 0; round < ground.sizing.rounds; round += 1) {
    for (const [index, load] of loads.entries()) {
      rounds[index]?.push(await hammer(load));
    }
  }
  return rounds;
}

const loadOf = (
  { sizing: { seconds } }: Ground,
  origin: string,
  requests: readonly string[],
  { connections } = { connections: CONNECTIONS },
): Load => ({ origin, requests, connections, seconds });

async function warmUp({ sizing }: Ground, loads: readonly Load[]): Promise<void> {
  for (const load of loads) {
    await hammer({ ...load, seconds: sizing.warmUpSeconds });
  }
}
