import { defineCommand } from '#kit/command.ts';

export const doctor = defineCommand()({
  path: 'doctor',
  summary: 'Check the installation and say what to mend; exit 1 where something fails',
  options: {},
  examples: ['frontdesk doctor', 'frontdesk doctor --json'],
  context: 'none',
  async run() {
    const { runDoctor } = await import('./run-doctor.ts');
    return runDoctor();
  },
});
