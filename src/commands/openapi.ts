import { defineCommand } from '#core/command.ts';
import { processEnvironment } from '#platform/config/environment-file.ts';
import { baseUrlOf } from '#platform/config/environment.ts';
import { UsageFault } from '#core/fault.ts';
import { collectionOf } from '#platform/openapi/collection.ts';
import { consoleDocument, openapiDocument } from '#registry/openapi.ts';
import { version } from '#platform/process/version.ts';

export const openapi = defineCommand()({
  path: 'openapi',
  summary: 'Print the OpenAPI 3.1 document',
  options: {
    collection: {
      flag: '--collection',
      help: 'print a Postman collection instead, which Bruno imports, too',
    },
    console: {
      flag: '--console',
      help: 'the endpoints of the console instead of the API',
    },
  },
  examples: [
    'frontdesk openapi > openapi.json',
    'frontdesk openapi --collection > frontdesk.postman_collection.json',
    'frontdesk openapi --console',
  ],
  context: 'none',
  async run(_, { collection, console }) {
    if (collection && console) {
      throw new UsageFault(
        'give either --collection or --console: requests to the console need the session of a browser',
      );
    }
    const environment = processEnvironment();
    const about = { version: version(), baseUrl: baseUrlOf(environment) };
    const document = console ? consoleDocument(about) : openapiDocument(about);
    const json = collection ? collectionOf(document) : document;
    return { json, text: JSON.stringify(json, null, 2) };
  },
});
