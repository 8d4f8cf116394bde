import { openapi } from '#platform/openapi/document.ts';
import { readEnvironment } from '#platform/config/environment.ts';
import { withEnvironmentFile } from '#platform/config/environment-file.ts';
import { endpoints } from '#registry/endpoints.ts';
import { tags } from '#registry/tags.ts';
import { version } from './version.ts';

/** The document with the public address that the environment names. */
export function document(): object {
  const { baseUrl, port } = readEnvironment(withEnvironmentFile(process.env));
  return openapi(endpoints, {
    version: version(),
    tags,
    baseUrl: baseUrl ?? `http://localhost:${port}`,
  });
}
