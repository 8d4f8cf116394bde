import { useState } from 'react';
import { Button as FileButton } from 'react-aria-components/Button';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { useLocale } from 'react-aria-components/I18nProvider';
import { useSearchParams } from 'wouter';
import { useMessages } from '../../i18n/messages.tsx';
import { useAttempts } from '../../shell/recent-sign-in.tsx';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { Checkbox } from '../../ui/switch.tsx';
import { ColumnChoice } from './column-choice.tsx';
import { guessColumns } from './contact-columns.ts';
import { decodeFile, type DecodedFile } from './decode-file.ts';
import { useFieldLabels } from './field-labels.ts';
import { ImportResult } from './import-result.tsx';
import { useImportTargets, useStartImport } from './import-queries.ts';
import { readCsvHead } from './read-csv-head.ts';
import styles from './import.module.css';

/** Enough for the longest header and some rows. */
const HEAD_BYTES = 65_536;
const PREVIEW_ROWS = 5;
const NO_LIST = '';
const REQUIRED: readonly string[] = ['firstName', 'lastName'];

interface ChosenFile extends DecodedFile {
  readonly name: string;
  /** Another file has another one, also if it has the same name. */
  readonly key: string;
  /** The header and the first rows. */
  readonly head: readonly (readonly string[])[];
}

/** Imports contacts from a file: choose it, name its columns, try it out, run it. */
export function ImportTab() {
  const { imports } = useMessages();
  const { data: targets, error, refetch } = useImportTargets();
  const [chosen, setChosen] = useState<ChosenFile>();
  const [params, setParams] = useSearchParams();
  const importId = params.get('import');
  const showImport = (id: string | null) =>
    setParams({ tab: 'import', ...(id !== null && { import: id }) }, { replace: true });
  const choose = async (file: File | undefined) => {
    if (file) {
      const { name, lastModified, size } = file;
      const decoded = await decodeFile(file);
      const start = await decoded.file.slice(0, HEAD_BYTES).text();
      const head = readCsvHead(start, PREVIEW_ROWS + 1);
      setChosen({ ...decoded, name, key: `${name} ${lastModified} ${size}`, head });
      showImport(null);
    }
  };
  if (error && targets === undefined) {
    return <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  return (
    <div className={styles.form}>
      <p className={styles.text}>{imports.text}</p>
      <div className={styles.bar}>
        <FileTrigger
          acceptedFileTypes={['.csv', 'text/csv']}
          onSelect={(files) => void choose(files?.[0])}
        >
          <FileButton className={styles.file ?? ''}>{imports.choose}</FileButton>
        </FileTrigger>
        {chosen && <span>{chosen.name}</span>}
      </div>
      {chosen?.encoding === 'windows-1252' && <p role="status">{imports.windows}</p>}
      {targets === undefined && <SkeletonRows />}
      {chosen && targets && (
        <ImportForm key={chosen.key} chosen={chosen} targets={targets} onStarted={showImport} />
      )}
      {importId !== null && <ImportResult id={importId} />}
    </div>
  );
}

interface ImportFormProps {
  readonly chosen: ChosenFile;
  readonly targets: NonNullable<ReturnType<typeof useImportTargets>['data']>;
  readonly onStarted: (id: string) => void;
}

function ImportForm({ chosen: { file, head }, targets, onStarted }: ImportFormProps) {
  const { imports } = useMessages();
  const [header = [], ...rows] = head;
  const [columns, setColumns] = useState(() => guessColumns(header, targets.customFields));
  const [list, setList] = useState(NO_LIST);
  const [dryRun, setDryRun] = useState(true);
  const start = useStartImport();
  const { attempt, dialog } = useAttempts();
  const labels = useFieldLabels(targets.customFields);
  const missing = REQUIRED.filter((name) => !columns.includes(name));
  const run = () =>
    attempt(async () => {
      const input = { file, columns, list: list === NO_LIST ? null : list, dryRun };
      onStarted((await start.mutateAsync(input)).id);
    });
  return (
    <>
      <ColumnChoice
        header={header}
        rows={rows}
        columns={columns}
        labels={labels}
        onChange={setColumns}
      />
      {targets.lists.length > 0 && (
        <div className={styles.list}>
          <Select
            label={imports.list}
            value={list}
            options={[
              { id: NO_LIST, label: imports.noList },
              ...targets.lists.map(({ key, name }) => ({ id: key, label: name })),
            ]}
            onChange={setList}
          />
        </div>
      )}
      {missing.length > 0 && <Missing names={missing.map((name) => labels[name] ?? name)} />}
      <div className={styles.bar}>
        <Checkbox isSelected={dryRun} onChange={setDryRun}>
          {imports.dryRun}
        </Checkbox>
        <Button
          look="primary"
          isDisabled={missing.length > 0}
          isPending={start.isPending}
          onPress={run}
        >
          {dryRun ? imports.tryOut : imports.run}
        </Button>
      </div>
      <p className={styles.text}>{imports.dryRunText}</p>
      {dialog}
    </>
  );
}

/** Names the fields that need a column. */
function Missing({ names }: { readonly names: readonly string[] }) {
  const { imports } = useMessages();
  const { locale } = useLocale();
  const either = new Intl.ListFormat(locale, { type: 'disjunction' });
  return <p role="alert">{imports.missing(either.format(names))}</p>;
}
