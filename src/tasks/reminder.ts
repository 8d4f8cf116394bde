/** A task that is due, and what its reminder tells of it. */
export interface DueTask {
  readonly title: string;
  readonly description: string | null;
  readonly priority: string;
  /** Epoch milliseconds. */
  readonly dueDate: number;
  readonly member: string;
  readonly email: string;
  /** In one line. */
  readonly contact: string | null;
  readonly subAccount: string;
  readonly timezone: string;
  readonly locale: string;
}

/** The mail to whoever the task is assigned to, its times in the sub-account's zone. */
export function reminderOf(due: DueTask): { readonly subject: string; readonly text: string } {
  const { title, description, priority, member, contact, subAccount } = due;
  const facts = [
    ['Task', title],
    ['Due', timeOf(due)],
    ['Priority', priority],
    ['Contact', contact],
  ];
  const lines = facts.flatMap(([name, value]) => (value ? [`${name}: ${value}`] : []));
  return {
    subject: `Due: ${title}`,
    text: [
      `Hello ${member},`,
      lines.join('\n'),
      ...(description ? [description.trim()] : []),
      `-- \n${subAccount}\n`,
    ].join('\n\n'),
  };
}

const timeOf = ({ dueDate, timezone: timeZone, locale }: DueTask): string =>
  new Intl.DateTimeFormat(locale, {
    dateStyle: 'full',
    timeStyle: 'short',
    timeZone,
  }).format(dueDate);
