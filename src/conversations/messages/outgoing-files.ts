import { readWhole } from '#core/files.ts';
import type { JobContext } from '#core/job.ts';
import type { View } from '#core/work.ts';
import { fileLink } from '../../files/file-links.ts';
import type { ChannelSetup } from '../channels/channel.store.ts';
import type { OutgoingFile } from '../providers/provider.ts';

interface Sending {
  readonly setup: Pick<ChannelSetup, 'provider'>;
  readonly context: Pick<JobContext, 'tools' | 'settings'>;
}

/** Providers that get the contents themselves; the others fetch them by a link. */
const WITH_CONTENT: ReadonlySet<string> = new Set(['smtp', 'gmail']);

/** Returns the files of a message as its provider sends them; undefined if a content is missing. */
export async function outgoingFiles(
  view: View,
  { id }: { readonly id: string },
  { setup, context: { tools, settings } }: Sending,
): Promise<OutgoingFile[] | undefined> {
  const { subAccountId } = view;
  const files: OutgoingFile[] = [];
  for (const row of await view.rows<Row>(FILES, [subAccountId, id])) {
    const { id: fileId, contentId, name, type } = row;
    const link = fileLink(tools.secrets, { subAccountId, id: fileId }, view.now);
    const url = settings.baseUrl + link;
    const file = { contentId, name, type, url };
    if (!WITH_CONTENT.has(setup.provider)) {
      files.push(file);
      continue;
    }
    const found = await tools.files.open({ subAccountId, id: contentId });
    if (!found) {
      return undefined;
    }
    files.push({ ...file, content: await readWhole(found) });
  }
  return files;
}

interface Row extends Pick<OutgoingFile, 'contentId' | 'name' | 'type'> {
  readonly id: string;
}

const FILES = `select id, content_id as "contentId", name, type from files
  where sub_account_id = $1 and message_id = $2 and state = 'stored' order by position`;
