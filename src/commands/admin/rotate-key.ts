import { defineCommand } from '#kit/command.ts';
import type { AdminContext } from '../context.ts';
import { readDurationMs } from './answers.ts';
import { changeKey, valueText } from './known-key.ts';

export const rotateKeyCommand = defineCommand<AdminContext>()({
  path: 'admin key rotate',
  summary: 'Give an API key another value and show it, once',
  arguments: ['id'],
  options: {
    grace: {
      flag: '--grace <duration>',
      help: 'how long the value before works on, for example 24h; not at all unless given',
      parse: readDurationMs,
    },
  },
  examples: [
    'frontdesk admin key rotate 0198c0de-… --grace 24h',
    'frontdesk admin key rotate 0198c0de-… --yes',
  ],
  confirm: ({ id, grace }) =>
    grace === undefined
      ? `Rotate the key ${id} without --grace? Its value of today is refused at once.`
      : undefined,
  context: 'service',
  async run(context, { id, grace: graceMs }) {
    const { rotateKey } = await import('../../accounts/rotate-key.ts');
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
