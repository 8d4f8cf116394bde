import { defineCommand } from '#core/command.ts';
import { AGENCY } from '#lib/id.ts';
import { rotateKey } from '../../../accounts/keys/rotate-key.ts';
import type { AdminContext } from '../../open-admin.ts';
import { readDurationMs } from '../answers.ts';
import { changeKey, knownKey, valueText } from './known-key.ts';

export const rotateKeyCommand = defineCommand<AdminContext>()({
  path: 'admin key rotate',
  summary: 'Replace the value of an API key and show the new one once',
  arguments: ['id'],
  options: {
    grace: {
      flag: '--grace <duration>',
      help: 'how long the old value keeps working, for example 24h; by default not at all',
      parse: readDurationMs,
    },
  },
  examples: [
    'frontdesk admin key rotate 0198c0de-… --grace 24h',
    'frontdesk admin key rotate 0198c0de-… --yes',
  ],
  confirm: ({ id, grace }) => (grace === undefined ? `Rotate API key ${id}?` : undefined),
  async question({ openView, clock }, { id }) {
    const { name, prefix } = await knownKey(openView(AGENCY, clock()), id);
    return {
      text: `Rotate API key ${name} (${prefix}…) without --grace? Its current value is refused at once.`,
    };
  },
  context: 'service',
  async run(context, { id, grace: graceMs }) {
    const { row, outcome } = await changeKey(context, id, (work) =>
      rotateKey(work, { keyId: id, graceMs }),
    );
    const until = row.previousExpiresAt;
    const said = `rotated the key ${row.name}; its value before ${until ? `works until ${until}` : 'is refused now'}`;
    const { id: keyId, ...rest } = row;
    return {
      json: { id: keyId, key: outcome.key, ...rest },
      text: valueText(said, outcome.key),
    };
  },
});
