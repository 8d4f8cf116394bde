import { defineCommand } from '#core/command.ts';

export const openapi = defineCommand()({
  path: 'openapi',
  summary: 'Print the OpenAPI 3.1 document',
  options: {},
  examples: ['frontdesk openapi > openapi.json'],
  context: 'none',
  async run() {
    const { document } = await import('./openapi-document.ts');
    const json = document();
    return { json, text: JSON.stringify(json, null, 2) };
  },
});
