import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { rowsOf } from '../../api/rows-of.ts';
import { SubmissionDetails, wordsOf, type Answer } from '../../contacts/submission-details.tsx';
import { useFormat } from '../../i18n/format.ts';
import { useMessages } from '../../i18n/messages.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { NotLoaded } from '../../ui/not-loaded.tsx';
import { Select } from '../../ui/select.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Table, TIME_WIDTH } from '../../ui/table.tsx';
import { textOf } from './entry.ts';
import { questionsOf } from './form-fields.ts';
import { sectionMessages } from './section-messages.ts';
import { useSection } from './section-queries.ts';
import { useFormSubmission, useSubmissions, type FormSubmission } from './submission-queries.ts';
import styles from './submissions.module.css';

const ALL_FORMS = 'all';

/** What visitors submitted, newest first. */
export function Submissions() {
  const texts = sectionMessages();
  const { entries = [], ids } = useSection('forms');
  const [formId, setFormId] = useState(ALL_FORMS);
  const [params, setParams] = useSearchParams();
  const openedId = params.get('submission');
  const query = useSubmissions(formId === ALL_FORMS ? undefined : formId);
  const rows = rowsOf(query);
  const options = entries.flatMap(({ key, name }) => {
    const id = ids[textOf(key)];
    return id === undefined ? [] : [{ id, label: textOf(name) }];
  });
  return (
    <section aria-labelledby="submissions">
      <div className={styles.head}>
        <h2 id="submissions">{texts.submissions}</h2>
        {options.length > 1 && (
          <Select
            label={texts.form}
            isLabelHidden
            options={[{ id: ALL_FORMS, label: texts.allForms }, ...options]}
            value={formId}
            onChange={setFormId}
          />
        )}
      </div>
      {rows === undefined && <NotLoaded error={query.error} onRetry={() => void query.refetch()} />}
      {rows && <SubmissionTable rows={rows} />}
      <LoadMore query={query} />
      {openedId !== null && (
        <SubmissionDialog id={openedId} onClose={() => setParams({ tab: 'forms' })} />
      )}
    </section>
  );
}

function SubmissionTable({ rows }: { readonly rows: readonly FormSubmission[] }) {
  const { settings } = useMessages();
  const texts = sectionMessages();
  const answersOf = useAnswers();
  const format = useFormat();
  return (
    <Table
      label={texts.submissions}
      rows={rows}
      hrefOf={({ id }) => `/settings?tab=forms&submission=${id}`}
      columns={[
        {
          id: 'answers',
          title: texts.answers,
          cell: (row) => <Summary answers={answersOf(row)} />,
        },
        { id: 'form', title: texts.form, cell: ({ formName }) => formName, isSecondary: true },
        {
          id: 'when',
          title: settings.when,
          width: TIME_WIDTH,
          cell: ({ createdAt }) => <time dateTime={createdAt}>{format.dayAndTime(createdAt)}</time>,
          isSecondary: true,
        },
      ]}
      empty={
        <EmptyState icon="inbox" title={texts.noSubmissions}>
          {texts.noSubmissionsText}
        </EmptyState>
      }
    />
  );
}

/** How many answers say what a submission is about. */
const SUMMARY_MAX = 3;

function Summary({ answers }: { readonly answers: readonly Answer[] }) {
  const { approvals } = useMessages();
  const { emptySubmission } = sectionMessages();
  const words = answers.map(({ value, file }) => file?.name ?? wordsOf(value, approvals));
  const said = words.filter((one) => one.trim() !== '').slice(0, SUMMARY_MAX);
  return <span dir="auto">{said.join(' · ') || emptySubmission}</span>;
}

/** Returns the answers of a submission in the order of the form, with the labels that it has now. */
function useAnswers(): (submission: FormSubmission) => readonly Answer[] {
  const { entries = [] } = useSection('forms');
  return ({ form, fields }) => {
    const questions = questionsOf(entries.find(({ key }) => key === form) ?? {});
    const names = questions.map(({ name }) => textOf(name));
    const labels = new Map(questions.map(({ name, label }) => [textOf(name), textOf(label)]));
    const given = Object.keys(fields).filter((name) => !labels.has(name));
    return [...names.filter((name) => Object.hasOwn(fields, name)), ...given].map((name) => {
      const value = fields[name] ?? null;
      const label = labels.get(name) || name;
      return typeof value === 'object'
        ? { name, label, value: null, file: value }
        : { name, label, value, file: null };
    });
  };
}

interface SubmissionDialogProps {
  readonly id: string;
  readonly onClose: () => void;
}

function SubmissionDialog({ id, onClose }: SubmissionDialogProps) {
  const texts = sectionMessages();
  const answersOf = useAnswers();
  const { data: submission, error, refetch } = useFormSubmission(id);
  return (
    <Dialog isOpen title={submission?.formName ?? texts.answers} onClose={onClose}>
      {submission === undefined && <NotLoaded error={error} onRetry={() => void refetch()} />}
      {submission && (
        <>
          <SubmissionDetails {...submission} answers={answersOf(submission)} />
          {submission.contactId !== null && (
            <p className={styles.contact}>
              <Link href={`/contacts/${submission.contactId}`}>{texts.openContact}</Link>
            </p>
          )}
        </>
      )}
    </Dialog>
  );
}
