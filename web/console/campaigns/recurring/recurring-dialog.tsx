import { usePlace } from '../../api/session.ts';
import { EntryDialog, rereadOf } from '../../settings/forms/entry-dialog.tsx';
import { keyFrom } from '../../settings/forms/key-from.ts';
import { textOf, type Entry, type EntryField } from '../../settings/forms/entry.ts';
import { useEntryForm } from '../../settings/forms/use-entry-form.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { TextField } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { showToast } from '../../ui/toast.tsx';
import { AudienceSummary } from '../audience-summary.tsx';
import { useCampaignMessages } from '../campaign-messages.ts';
import { useLists, useTemplates, type List, type Template } from '../compose-queries.ts';
import { HtmlContentField } from '../content-field.tsx';
import { ListWords } from '../list-words.tsx';
import { LivePreview } from '../live-preview.tsx';
import { NotReady } from '../not-ready.tsx';
import { ScheduleField } from './schedule-field.tsx';

/** On the first day of the month, at nine. */
const MONTHLY = '0 9 1 * *';

interface RecurringDialogProps {
  readonly entries: readonly Entry[];
  /** The opened recurring campaign, as the manifest has it; undefined for a new one. */
  readonly entry: Entry | undefined;
  readonly readAgain: () => Promise<readonly Entry[]>;
  readonly onClose: () => void;
}

/** The form of a recurring campaign. Waits for what a campaign is made of. */
export function RecurringDialog(props: RecurringDialogProps) {
  const { recurring } = useCampaignMessages();
  const templates = useTemplates();
  const lists = useLists();
  const error = templates.error ?? lists.error;
  const title = props.entry === undefined ? recurring.add : textOf(props.entry['name']);
  if (templates.data && lists.data && templates.data.length > 0 && lists.data.length > 0) {
    return <RecurringForm {...props} title={title} templates={templates.data} lists={lists.data} />;
  }
  return (
    <Dialog title={title} isOpen onClose={props.onClose}>
      {error && <ErrorState error={error} />}
      {!error && (templates.data && lists.data ? <NotReady /> : <SkeletonRows />)}
    </Dialog>
  );
}

function useFields(): readonly EntryField[] {
  const { campaigns, compose, recurring } = useCampaignMessages();
  const field = (path: string, label: string): EntryField => ({ path, label, kind: 'text' });
  return [
    field('name', campaigns.name),
    field('list', compose.list),
    field('template', compose.template),
    field('subject', campaigns.subject),
    field('preheader', compose.preheader),
    field('content', compose.content),
    field('repeat', recurring.repeats),
  ];
}

interface RecurringFormProps extends RecurringDialogProps {
  readonly title: string;
  readonly templates: readonly Template[];
  readonly lists: readonly List[];
}

/** Returns the form over the entry, with the values that a new one begins with. */
function useRecurringForm({ entries, entry, readAgain, templates, lists }: RecurringFormProps) {
  const [template] = templates;
  const [list] = lists;
  const begin = {
    list: template?.defaultList ?? list?.key ?? '',
    template: template?.key ?? '',
    repeat: MONTHLY,
  };
  const form = useEntryForm({
    section: 'campaigns',
    shape: 'list',
    fields: useFields(),
    entry,
    complete: (saved) => ({
      key: keyFrom(textOf(saved['name']), new Set(entries.map((one) => one['key']))),
      ...(entry === undefined && begin),
      content: '',
      ...saved,
    }),
    readAgain: rereadOf(entry, readAgain),
  });
  const initial: Readonly<Record<string, string>> = entry === undefined ? begin : {};
  const valueOf = (path: string) => textOf(form.values[path]) || (initial[path] ?? '');
  const set = (path: string) => (value: string) =>
    form.setValues({ ...form.values, [path]: value });
  return { form, valueOf, set };
}

function RecurringForm(props: RecurringFormProps) {
  const { title, entry, templates, lists, onClose } = props;
  const { common, campaigns } = useCampaignMessages();
  const { timezone } = usePlace().membership;
  const { form, valueOf, set } = useRecurringForm(props);
  const onSaved = ({ name }: Entry) => showToast({ text: common.saved, detail: textOf(name) });
  const input = {
    subject: valueOf('subject'),
    preheader: valueOf('preheader') || null,
    contentHtml: valueOf('content'),
    layout: templates.find(({ key }) => key === valueOf('template'))?.name ?? '',
    listId: lists.find(({ key }) => key === valueOf('list'))?.id ?? null,
  };
  return (
    <EntryDialog title={title} form={form} onClose={onClose} onSaved={onSaved}>
      <Fields {...props} valueOf={valueOf} set={set} errorOf={form.errorOf} />
      <ScheduleField
        value={valueOf('repeat')}
        onChange={set('repeat')}
        timezone={textOf(entry?.['timezone']) || timezone}
        error={form.errorOf('repeat')}
      />
      <Disclosure title={campaigns.preview}>
        <LivePreview input={input} />
      </Disclosure>
    </EntryDialog>
  );
}

interface FieldsProps extends Pick<RecurringFormProps, 'templates' | 'lists'> {
  readonly valueOf: (path: string) => string;
  readonly set: (path: string) => (value: string) => void;
  readonly errorOf: (path: string) => string | undefined;
}

function Fields({ templates, lists, valueOf, set, errorOf }: FieldsProps) {
  const { campaigns, compose, recurring } = useCampaignMessages();
  const field = (path: string) => ({
    value: valueOf(path),
    onChange: set(path),
    error: errorOf(path),
  });
  return (
    <>
      <TextField
        label={campaigns.name}
        description={recurring.nameHint}
        {...field('name')}
        isRequired
        autoFocus
      />
      <Select label={compose.list} {...field('list')} options={optionsOf(lists, valueOf('list'))} />
      <ListWords list={lists.find(({ key }) => key === valueOf('list'))} />
      <AudienceSummary listId={lists.find(({ key }) => key === valueOf('list'))?.id ?? null} />
      <Select
        label={compose.template}
        {...field('template')}
        options={optionsOf(templates, valueOf('template'))}
      />
      <TextField label={campaigns.subject} {...field('subject')} isRequired />
      <TextField
        label={compose.preheader}
        description={compose.preheaderHint}
        {...field('preheader')}
      />
      <HtmlContentField
        html={valueOf('content')}
        onChange={set('content')}
        error={errorOf('content')}
      />
    </>
  );
}

/** Returns a choice of keys. What is stored stays a choice, even if it is inactive. */
function optionsOf(all: readonly (List | Template)[], chosen: string) {
  const options = all.map(({ key, name }) => ({ id: key, label: name }));
  return chosen === '' || options.some(({ id }) => id === chosen)
    ? options
    : [...options, { id: chosen, label: chosen }];
}
