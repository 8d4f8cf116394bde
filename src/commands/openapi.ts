import { openapi as documentOf } from '#platform/openapi/document.ts';
import { defineCommand } from '#core/command.ts';
import { withEnvironmentFile } from '#platform/config/environment-file.ts';
import { baseUrlOf, readEnvironment } from '#platform/config/environment.ts';
import { endpoints } from '#registry/endpoints.ts';
import { tags } from '#registry/tags.ts';
import { version } from './version.ts';

export const openapi = defineCommand()({
  path: 'openapi',
  summary: 'Print the OpenAPI 3.1 document',
  options: {},
  examples: ['frontdesk openapi > openapi.json'],
  context: 'none',
  async run() {
    const json = document();
    return { json, text: JSON.stringify(json, null, 2) };
  },
});

function document(): object {
  const environment = readEnvironment(withEnvironmentFile(process.env));
  return documentOf(endpoints, { version: version(), tags, baseUrl: baseUrlOf(environment) });
}
