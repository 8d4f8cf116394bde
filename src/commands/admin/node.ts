import { defineCommand } from '#core/command.ts';
import { UsageFault } from '#core/fault.ts';
import { processEnvironment } from '#platform/config/environment-file.ts';
import { listNodes } from '#platform/database/cluster/nodes.ts';
import { placeSubAccount, requireCluster } from '#platform/database/cluster/place-sub-account.ts';
import type { AdminContext } from '../open-admin.ts';
import { liveSubAccount } from './answers.ts';

const list = defineCommand<AdminContext>()({
  path: 'admin node list',
  summary: 'List the nodes of a Citus cluster and what is stored on each',
  examples: ['frontdesk admin node list', 'frontdesk admin node list --json'],
  context: 'service',
  async run({ database: { rows } }) {
    await requireCluster(rows);
    const nodes = await listNodes(rows);
    const table = nodes.map(({ address, role, state, shards, bytes, subAccounts }) => {
      return { address, role, state, shards, bytes, placed: subAccounts.join(' ') };
    });
    return { json: nodes, table };
  },
});

const place = defineCommand<AdminContext>()({
  path: 'admin sub-account place',
  summary: 'Move a sub-account to a node of a Citus cluster, without downtime',
  arguments: ['sub'],
  options: {
    node: {
      flag: '--node <address>',
      label: 'Node',
      help: 'host:port of the node, as admin node list shows it',
      required: true,
      parse: readAddress,
    },
  },
  examples: ['frontdesk admin sub-account place 0198c0de-… --node node-3.internal:5432'],
  context: 'service',
  async run(context, { sub, node }) {
    await requireCluster(context.database.rows);
    const { id, name } = await liveSubAccount(context, sub);
    const { databaseUrl, databaseSessionUrl: url = databaseUrl } = processEnvironment([
      'databaseUrl',
    ]);
    const placement = await placeSubAccount(url, id, node);
    const { from, isolated } = placement;
    const moved = from !== node;
    if (moved || isolated) {
      await context.transact(id, context.actor, async (work) => work.audit(id));
    }
    const text = moved
      ? `moved ${name} (${id}) from ${from} to ${node}`
      : isolated
        ? `${name} (${id}) was on ${node} already and has a shard of its own now`
        : `${name} (${id}) was placed on ${node} before; nothing was changed`;
    return { json: { subAccountId: id, ...placement, moved }, text };
  },
});

function readAddress(given: string): string {
  const [, , port] = ADDRESS.exec(given) ?? [];
  if (port === undefined || Number(port) > PORT_MAX) {
    throw new UsageFault(
      `${given || 'nothing'} was given; it must be host:port, for example node-3.internal:5432`,
    );
  }
  return given;
}

const ADDRESS = /^([\w.-]+|\[[\da-f:.]+\]):(\d{1,5})$/i;
const PORT_MAX = 65_535;

export const nodeCommands = [list, place];
