import type { Option } from '#kit/command.ts';
import { UsageFault } from '#kit/fault.ts';
import { isInteractive } from '#platform/cli/terminal.ts';
import { withEnvironmentFile } from '#platform/environment-file.ts';

const VARIABLE = 'FRONTDESK_API_KEY';

/** The key as given, as the environment has it, or as a person types it unseen. */
export async function keyFrom(given: string | undefined, option: Option<string>): Promise<string> {
  const known = given ?? fromEnvironment(option);
  if (known !== undefined) {
    return known;
  }
  if (!isInteractive() || process.argv.includes('--yes')) {
    throw new UsageFault(`webhook listen needs ${option.flag}, or ${VARIABLE}`);
  }
  const { askFor } = await import('#platform/cli/prompts.ts');
  return (await askFor({ ...option, help: 'API key with the scope webhooks:manage' })).trim();
}

function fromEnvironment({ parse }: Option<string>): string | undefined {
  const text = withEnvironmentFile(process.env)[VARIABLE];
  try {
    return text ? parse?.(text) : undefined;
  } catch (error) {
    throw new UsageFault(`${VARIABLE}: ${(error as Error).message}`, { cause: error });
  }
}
