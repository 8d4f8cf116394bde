import { useMessages } from '../i18n/messages.tsx';
import { actionTitle } from './action-title.ts';
import { triggerText } from './event-text.ts';
import { useStepText, whereText } from './step-value.tsx';
import type { Step, Workflow } from './workflow-queries.ts';
import styles from './workflows.module.css';

/** Members of a step that are no action. */
const BRANCHES = new Set(['then', 'else']);

/** What starts a workflow, and its steps with their branches. */
export function DefinitionTree({ workflow }: { readonly workflow: Workflow }) {
  const { workflows } = useMessages();
  const stepText = useStepText();
  return (
    <div className={styles.definition}>
      <h2>{workflows.triggers}</h2>
      <ul role="list">
        {workflow.triggers.map(({ on, where, ...rest }) => (
          <li key={JSON.stringify([on, where, rest])} className={styles.action}>
            <strong title={on}>{triggerText(on)}</strong>{' '}
            <span>
              {where && `${workflows.onlyIf} ${whereText(workflows, where)} `}
              {stepText(on, rest)}
            </span>
          </li>
        ))}
      </ul>
      <h2>{workflows.steps}</h2>
      <Steps steps={workflow.steps} label={workflows.steps} />
    </div>
  );
}

function Steps({ steps, label }: { readonly steps: readonly Step[]; readonly label: string }) {
  const { workflows } = useMessages();
  const stepText = useStepText();
  return (
    <ol role="list" aria-label={label} className={styles.steps}>
      {steps.map((step, index) => {
        const [name, value] = Object.entries(step).find(([one]) => !BRANCHES.has(one)) ?? ['end'];
        return (
          // oxlint-disable-next-line react/no-array-index-key -- equal steps may follow each other
          <li key={index}>
            <div className={styles.action}>
              <strong>{actionTitle(workflows, name)}</strong> <span>{stepText(name, value)}</span>
            </div>
            <Branch steps={step.then} label={workflows.ifSo} />
            <Branch steps={step.else} label={workflows.otherwise} />
          </li>
        );
      })}
    </ol>
  );
}

interface BranchProps {
  readonly steps: readonly Step[] | undefined;
  readonly label: string;
}

const Branch = ({ steps = [], label }: BranchProps) =>
  steps.length > 0 && (
    <div className={styles.branch}>
      <p>{label}</p>
      <Steps steps={steps} label={label} />
    </div>
  );
