import { usePlace } from '../../api/session.ts';
import { useAppointmentTypes } from '../../calendar/schedule-queries.ts';
import { useMessages } from '../../i18n/messages.tsx';
import { CopyField } from '../../ui/copy-field.tsx';
import { textOf } from './entry.ts';
import { useSection } from './section-queries.ts';
import styles from './page-links.module.css';

/** The address of the booking page of each appointment type. */
export function BookingLinks() {
  const { forms } = useMessages();
  const { subAccountId } = usePlace().membership;
  const { data: types = [] } = useAppointmentTypes();
  const pages = types.map(({ id, name, slug }) => ({
    id,
    name,
    path: `/book/${subAccountId}/${slug}`,
  }));
  return (
    <PageLinks
      title={forms.bookingPages}
      pages={pages}
      open={forms.openPage}
      openOf={forms.openPageOf}
    />
  );
}

/** The address of the page of each form. */
export function FormLinks() {
  const { forms } = useMessages();
  const { entries = [], ids } = useSection('forms');
  const pages = entries.flatMap(({ key, name }) => {
    const id = ids[textOf(key)];
    return id === undefined ? [] : [{ id, name: textOf(name), path: `/f/${id}` }];
  });
  return (
    <PageLinks
      title={forms.formPages}
      pages={pages}
      open={forms.openForm}
      openOf={forms.openFormOf}
    />
  );
}

interface PageLinksProps {
  readonly title: string;
  readonly pages: readonly { readonly id: string; readonly name: string; readonly path: string }[];
  readonly open: string;
  readonly openOf: (name: string) => string;
}

/** Public pages: the address of each to copy, and a link. */
function PageLinks({ title, pages, open, openOf }: PageLinksProps) {
  if (pages.length === 0) {
    return null;
  }
  return (
    <section className={styles.links} aria-labelledby="page-links">
      <h2 id="page-links">{title}</h2>
      <ul role="list">
        {pages.map(({ id, name, path }) => {
          const href = location.origin + path;
          return (
            <li key={id} className={styles.row}>
              <CopyField label={name} value={href} />
              <a href={href} target="_blank" rel="noopener" aria-label={openOf(name)}>
                {open}
              </a>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
