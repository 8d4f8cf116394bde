import { useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { NotLoaded } from '../ui/not-loaded.tsx';
import { useFieldErrors } from '../ui/use-field-errors.ts';
import { useShowError } from '../ui/use-show-error.ts';
import { Page } from '../shell/page.tsx';
import { useUnsaved } from '../shell/use-unsaved.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import { showToast, useClearErrors } from '../ui/toast.tsx';
import { useCampaignMessages } from './campaign-messages.ts';
import { AudienceSummary } from './audience-summary.tsx';
import { useCampaign, type CampaignWithContent } from './campaign-queries.ts';
import { useLists, useSaveCampaign, useTemplates, type CampaignInput } from './compose-queries.ts';
import { htmlOfText, textOfHtml } from './content-text.ts';
import { ContentField } from './content-field.tsx';
import { ListWords } from './list-words.tsx';
import { LivePreview } from './live-preview.tsx';
import { NotReady } from './not-ready.tsx';
import styles from './compose.module.css';

/** A new campaign, or a draft that is changed. */
export function ComposePage({ campaignId }: { readonly campaignId?: string | undefined }) {
  const { common, compose } = useCampaignMessages();
  const [, navigate] = useLocation();
  const [params] = useSearchParams();
  /** The campaign that a new one is a copy of. */
  const from = params.get('from');
  const back = campaignId === undefined ? '/campaigns' : `/campaigns/${campaignId}`;
  return (
    <Page
      title={campaignId === undefined ? compose.newCampaign : compose.editDraft}
      before={<IconButton icon="back" label={common.back} onPress={() => navigate(back)} />}
    >
      {campaignId === undefined && from === null && <Composer />}
      {campaignId !== undefined && <DraftComposer id={campaignId} />}
      {campaignId === undefined && from !== null && <DraftComposer id={from} isCopy />}
    </Page>
  );
}

interface DraftComposerProps {
  readonly id: string;
  /** Whether a new campaign begins with the content of this one. */
  readonly isCopy?: boolean;
}

function DraftComposer({ id, isCopy = false }: DraftComposerProps) {
  const { data, error, refetch } = useCampaign(id);
  if (data === undefined) {
    return <NotLoaded error={error} onRetry={() => void refetch()} />;
  }
  return <Composer draft={data} isCopy={isCopy} />;
}

/** Waits for what a campaign is made of. */
interface ComposerProps {
  readonly draft?: CampaignWithContent;
  readonly isCopy?: boolean;
}

function Composer({ draft, isCopy = false }: ComposerProps) {
  const templates = useTemplates();
  const lists = useLists();
  const error = templates.error ?? lists.error;
  if (templates.data === undefined || lists.data === undefined) {
    return <NotLoaded error={error} />;
  }
  if (templates.data.length === 0 || lists.data.length === 0) {
    return <NotReady />;
  }
  return (
    <ComposeForm draft={draft} isCopy={isCopy} templates={templates.data} lists={lists.data} />
  );
}

interface ComposeFormProps {
  readonly draft: CampaignWithContent | undefined;
  readonly isCopy: boolean;
  readonly templates: NonNullable<ReturnType<typeof useTemplates>['data']>;
  readonly lists: NonNullable<ReturnType<typeof useLists>['data']>;
}

/** Returns the state of the form; the content is plain text unless `isHtml`. */
function useComposeForm({ draft, isCopy, templates, lists }: ComposeFormProps) {
  const { compose } = useCampaignMessages();
  const listOf = (layout: string) => {
    const key = templates.find(({ name }) => name === layout)?.defaultList;
    return (lists.find((one) => one.key === key) ?? lists[0])?.id ?? null;
  };
  const layout = draft?.layout ?? templates[0]?.name ?? '';
  const text = draft && textOfHtml(draft.contentHtml);
  const [begin] = useState({
    name: draft && isCopy ? compose.copyOf(draft.name) : (draft?.name ?? ''),
    subject: draft?.subject ?? '',
    preheader: draft?.preheader ?? '',
    content: text ?? draft?.contentHtml ?? '',
    isHtml: draft !== undefined && text === undefined,
    layout,
    listId: draft?.listId ?? listOf(layout),
  });
  const [values, setValues] = useState(begin);
  const { content, isHtml, preheader, listId, layout: layoutNow } = values;
  const input: CampaignInput = {
    name: values.name,
    subject: values.subject,
    layout: layoutNow,
    listId,
    preheader: preheader === '' ? null : preheader,
    contentHtml: isHtml ? content : htmlOfText(content),
  };
  const set = (change: Partial<typeof values>) => setValues((now) => ({ ...now, ...change }));
  return {
    values,
    isChanged: JSON.stringify(values) !== JSON.stringify(begin),
    input,
    set,
    /** The list follows to the default of the template, unless another one was chosen. */
    chooseLayout: (name: string) =>
      set({ layout: name, ...(listId === listOf(layoutNow) && { listId: listOf(name) }) }),
    /** Plain text becomes HTML; HTML stays HTML unless it is what plain text becomes. */
    writeHtml: (on: boolean) =>
      set({
        isHtml: on || textOfHtml(content) === undefined,
        content: on ? htmlOfText(content) : (textOfHtml(content) ?? content),
      }),
  };
}

/** The fields that show their own errors. */
const SHOW_ERRORS = ['name', 'subject', 'preheader', 'contentHtml'];

function ComposeForm(props: ComposeFormProps) {
  const { draft, isCopy } = props;
  const { compose } = useCampaignMessages();
  const [, navigate] = useLocation();
  const form = useComposeForm(props);
  const save = useSaveCampaign(isCopy ? undefined : draft?.id);
  const unsaved = useUnsaved(form.isChanged);
  const showError = useShowError(SHOW_ERRORS);
  const clearErrors = useClearErrors();
  const errorOf = useFieldErrors(save.error);
  const submit = () =>
    save.mutate(form.input, {
      onSuccess({ id }) {
        showToast({ text: compose.saved });
        unsaved.release();
        navigate(`/campaigns/${id}`, { replace: true });
      },
      onError: showError,
    });
  return (
    <div className={styles.columns}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          clearErrors();
          submit();
        }}
      >
        <AudienceFields {...props} form={form} errorOf={errorOf} />
        <ContentFields {...props} form={form} errorOf={errorOf} />
        <div>
          <Button look="primary" type="submit" isPending={save.isPending}>
            {compose.save}
          </Button>
        </div>
        <p className={styles.note}>{compose.opens}</p>
      </form>
      <LivePreview input={form.input} />
      {unsaved.dialog}
    </div>
  );
}

interface FieldsProps extends ComposeFormProps {
  readonly form: ReturnType<typeof useComposeForm>;
  /** Returns what the server says about a field. */
  readonly errorOf: (field: string) => string | undefined;
}

function AudienceFields({ lists, form: { values, set }, errorOf }: FieldsProps) {
  const { campaigns, compose } = useCampaignMessages();
  return (
    <>
      <TextField
        label={campaigns.name}
        description={compose.nameHint}
        value={values.name}
        onChange={(name) => set({ name })}
        error={errorOf('name')}
        isRequired
        autoFocus
      />
      <Select
        label={compose.list}
        value={values.listId}
        options={lists.map(({ id, name }) => ({ id, label: name }))}
        onChange={(listId) => set({ listId })}
      />
      <p className={styles.note}>
        {compose.listHint}{' '}
        <a href="/docs/campaigns#set-up" target="_blank" rel="noopener">
          {compose.addList}
        </a>
      </p>
      <ListWords list={lists.find(({ id }) => id === values.listId)} />
      <AudienceSummary listId={values.listId} />
    </>
  );
}

function ContentFields({ templates, form, errorOf }: FieldsProps) {
  const { campaigns, compose } = useCampaignMessages();
  const { values, set, chooseLayout, writeHtml } = form;
  return (
    <>
      <Select
        label={compose.template}
        value={values.layout}
        options={templates.map(({ name }) => ({ id: name, label: name }))}
        onChange={chooseLayout}
      />
      <TextField
        label={campaigns.subject}
        value={values.subject}
        onChange={(subject) => set({ subject })}
        error={errorOf('subject')}
        isRequired
      />
      <TextField
        label={compose.preheader}
        description={compose.preheaderHint}
        value={values.preheader}
        onChange={(preheader) => set({ preheader })}
        error={errorOf('preheader')}
      />
      <ContentField
        content={values.content}
        isHtml={values.isHtml}
        onChange={(content) => set({ content })}
        onWriteHtml={writeHtml}
        error={errorOf('contentHtml')}
      />
    </>
  );
}
