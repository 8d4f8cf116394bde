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

/** The tag that shows a form on a website. */
const tagOf = (id: string, title: string): string =>
  `<script src="${location.origin}/forms/embed.js" data-form="${id}" data-title="${escaped(title)}"></script>`;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** The address of the page of each form, and the tag that embeds it. */
export function FormLinks() {
  const { forms } = useMessages();
  const { entries = [], ids } = useSection('forms');
  const pages = entries.flatMap(({ key, name }) => {
    const id = ids[textOf(key)];
    const title = textOf(name);
    return id === undefined ? [] : [{ id, name: title, path: `/f/${id}`, tag: tagOf(id, title) }];
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

interface PublicPage {
  readonly id: string;
  readonly name: string;
  readonly path: string;
  /** Missing if no other site can show it. */
  readonly tag?: string;
}

interface PageLinksProps {
  readonly title: string;
  readonly pages: readonly PublicPage[];
  readonly open: string;
  readonly openOf: (name: string) => string;
}

/** Public pages: the address of each to copy, a link, and the tag that embeds it. */
function PageLinks({ title, pages, open, openOf }: PageLinksProps) {
  const { forms } = useMessages();
  if (pages.length === 0) {
    return null;
  }
  return (
    <section className={styles.links} aria-labelledby="page-links">
      <h2 id="page-links">{title}</h2>
      <ul role="list">
        {pages.map(({ id, name, path, tag }) => {
          const href = location.origin + path;
          return (
            <li key={id} className={styles.row}>
              <CopyField label={name} value={href} />
              <a href={href} target="_blank" rel="noopener" aria-label={openOf(name)}>
                {open}
              </a>
              {tag !== undefined && <CopyField label={forms.embeddedForm(name)} value={tag} />}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
