import type { Option, Switches } from '#core/command.ts';
import { UsageFault } from '#core/fault.ts';
import { isInteractive } from '#platform/cli/terminal.ts';
import { readEnvironment } from '#platform/config/environment.ts';
import { withEnvironmentFile } from '#platform/config/environment-file.ts';

/** The key as given, as the environment has it, or as a person types it unseen. */
export async function keyFrom(
  given: string | undefined,
  option: Option<string>,
  { yes }: Switches,
): Promise<string> {
  const known = given ?? readEnvironment(withEnvironmentFile(process.env)).apiKey;
  if (known !== undefined) {
    return known;
  }
  if (!isInteractive() || yes) {
    throw new UsageFault(`webhook listen needs ${option.flag}, or FRONTDESK_API_KEY`);
  }
  const { askFor } = await import('#platform/cli/prompts.ts');
  return (await askFor({ ...option, help: 'API key with the scope webhooks:manage' })).trim();
}
