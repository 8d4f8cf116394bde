import { defineCommand } from '#core/command.ts';

export const doctor = defineCommand()({
  path: 'doctor',
  summary: 'Check the installation and say how to fix what is wrong; exit 1 on a failure',
  options: {},
  examples: ['frontdesk doctor', 'frontdesk doctor --json'],
  context: 'none',
  async run() {
    const { runDoctor } = await import('./run-doctor.ts');
    return runDoctor();
  },
});
