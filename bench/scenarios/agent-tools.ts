import { alternate } from '../compare.ts';
import type { SubAccount } from '../ground.ts';
import { requestText, type Round } from '../hammer.ts';
import { getRequest, someContactIds } from '../sample.ts';
import type { Scenario } from '../scenario.ts';
import { median } from '../statistics.ts';

/** A read tool takes at most twice the time of its GET. */
const TOOL_AT_MOST = 2;
const LIST_AT_MOST_MS = 10;
/** One request at a time: the figure is a time, not a throughput. */
const CONNECTIONS = 1;
const SAMPLE = 200;

const mcpRequest = ({ authorization }: SubAccount, method: string, params: object): string =>
  requestText(
    'POST /mcp',
    [authorization],
    JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  );

const timeOf = (rounds: readonly Round[] = []): number => median(rounds.map(({ p50Ms }) => p50Ms));

/** Measures what the protocol of agents costs beside the API. */
export const agentTools: Scenario = {
  name: 'agent-tools',
  async measure(ground) {
    const { small } = ground;
    const ids = (await someContactIds(ground, small)).slice(0, SAMPLE);
    const [gets, tools, lists] = await alternate(
      ground,
      [
        ids.map((id) => getRequest(small, `/api/v1/contacts/${id}`)),
        ids.map((contactId) =>
          mcpRequest(small, 'tools/call', { name: 'get_contact', arguments: { contactId } }),
        ),
        [mcpRequest(small, 'tools/list', {})],
      ],
      CONNECTIONS,
    );
    return [
      {
        what: 'get_contact of an agent beside GET /api/v1/contacts/{id}',
        unit: 'ms',
        bare: timeOf(gets),
        product: timeOf(tools),
        ratio: timeOf(tools) / timeOf(gets),
        bound: { atMost: TOOL_AT_MOST },
      },
      {
        what: 'tools/list of an agent',
        unit: 'ms',
        product: timeOf(lists),
        bound: { atMost: LIST_AT_MOST_MS },
      },
    ];
  },
};
