import { alternate } from '../compare.ts';
import type { Round } from '../hammer.ts';
import { COMMON_WORD } from '../load-contacts.ts';
import { median } from '../statistics.ts';
import { getRequest, rareWords } from '../sample.ts';
import type { Finding, Scenario } from '../scenario.ts';

const RARE_P99_MS = 60;
const ANY_P99_MS = 120;
/** One search at a time: the bounds are waits of a single user who types. */
const CONNECTIONS = 1;

export const searchContacts: Scenario = {
  name: 'search-contacts',
  async measure(ground) {
    const { large } = ground;
    const words = [await rareWords(ground, large), [COMMON_WORD], TWO_LETTERS];
    const requests = words.map((list) =>
      list.map((word) => getRequest(large, `/api/v1/contacts?search=${word}`)),
    );
    const [rare = [], common = [], short = []] = await alternate(ground, requests, CONNECTIONS);
    return [
      finding('p99 of rare words, exact total', rare, RARE_P99_MS),
      finding(`p99 of "${COMMON_WORD}", in 4 % of the rows`, common, ANY_P99_MS),
      finding('p99 of two letters, in up to half the rows', short),
    ];
  },
};

const TWO_LETTERS = ['ka', 'na', 'el', 'zx', 'ri', 'mo'];

const finding = (what: string, rounds: readonly Round[], atMost?: number): Finding => {
  const p99Ms = median(rounds.map((round) => round.p99Ms));
  return {
    what,
    unit: 'ms',
    product: p99Ms,
    ...(atMost !== undefined && { bound: { atMost } }),
    p50Ms: median(rounds.map((round) => round.p50Ms)),
    p99Ms,
  };
};
