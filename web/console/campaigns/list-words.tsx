import { useLocale } from 'react-aria-components/I18nProvider';
import { Link } from 'wouter';
import { useCampaignMessages } from './campaign-messages.ts';
import type { List, ListFilter } from './compose-queries.ts';
import styles from './compose.module.css';

/** Says in words what a list selects, with a link to these contacts. */
export function ListWords({ list }: { readonly list: List | undefined }) {
  const { compose, contacts } = useCampaignMessages();
  const { locale } = useLocale();
  if (list === undefined) {
    return null;
  }
  const { filter } = list;
  const { tags = [], lifecycleStage: stages = [] } = filter ?? {};
  const all = new Intl.ListFormat(locale, { type: 'conjunction' });
  const any = new Intl.ListFormat(locale, { type: 'disjunction' });
  const parts = [
    ...(tags.length > 0
      ? [compose.withTags(all.format(tags.map(compose.quoted)), tags.length)]
      : []),
    ...(stages.length > 0
      ? [compose.inStages(any.format(stages.map((one) => contacts.stages[one])))]
      : []),
  ];
  const words = parts.length > 0 ? `${contacts.title} ${parts.join(' ')}` : compose.allContacts;
  const href = filter && hrefOf(filter);
  return (
    <p className={styles.note}>
      {filter === null ? compose.staticList : words}
      {href && (
        <>
          {' · '}
          <Link href={href}>{compose.showContacts}</Link>
        </>
      )}
    </p>
  );
}

/** Returns the page of the contacts, which has a filter for one stage only; undefined for several. */
function hrefOf({ tags = [], lifecycleStage: stages = [] }: ListFilter): string | undefined {
  const [stage, ...others] = stages;
  const params = new URLSearchParams({
    ...(tags.length > 0 && { tags: tags.join(',') }),
    ...(stage && { stage }),
  });
  return others.length === 0 ? `/contacts?${params}` : undefined;
}
