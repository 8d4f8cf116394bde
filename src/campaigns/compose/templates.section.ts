import { Type, type Static } from 'typebox';
import { newId } from '#lib/id.ts';
import { nullable, shortText, request } from '#core/schema/schema.ts';
import { defineSection, key, type IdOf } from '#core/section.ts';
import type { Work } from '#core/work.ts';
import { mergeFieldCautions } from '../../contacts/merge-field-cautions.ts';
import { List } from '../lists/list.entity.ts';
import { MailTemplate } from './mail-template.entity.ts';
import { UNSUBSCRIBE_FIELD } from './compile-mail.ts';
import { layoutProblem, PLACE } from './resolve-layout.ts';

const HTML_MAX = 500_000;

const schema = request({
  key: key(),
  name: shortText({ description: 'The name by which campaigns refer to it as their layout.' }),
  html: Type.String({
    maxLength: HTML_MAX,
    description: 'The HTML, with exactly one `{{content}}` where the content of the campaign goes.',
  }),
  defaultList: Type.Optional(
    nullable(key({ description: 'The key of the list for campaigns that name no list.' })),
  ),
});

interface TemplateEntry extends Omit<Static<typeof schema>, 'defaultList'> {
  readonly defaultList: string | null;
}

interface Row {
  readonly template: MailTemplate;
  readonly defaultList: string | null;
}

export const templatesSection = defineSection({
  name: 'templates',
  summary: 'Layouts of campaign mails.',
  match: 'key',
  schema,
  references: ({ defaultList }) =>
    defaultList ? [{ section: 'lists', key: defaultList, path: '/defaultList' }] : [],
  complete: ({ key, name, html, defaultList = null }): TemplateEntry => ({
    key,
    name,
    html,
    defaultList,
  }),
  async cautionsAbroad(work, { key, name, html }) {
    const problem = layoutProblem(name, html);
    const fields = [PLACE, UNSUBSCRIBE_FIELD];
    return [
      ...(problem ? [`${problem}: campaigns cannot use it`] : []),
      ...(await mergeFieldCautions(work, { entry: key, texts: { '/html': html }, fields })),
    ];
  },
  load,
  valueOf: ({ template: { key, name, html }, defaultList }: Row): TemplateEntry => {
    return { key, name, html, defaultList };
  },
  idOf: ({ template }) => template.id,
  create({ em, subAccountId, now }, wanted, _key, idOf): Row {
    const template = em.create(MailTemplate, {
      ...fieldsOf(wanted, idOf),
      subAccountId,
      id: newId(now),
      createdAt: now,
      updatedAt: now,
    });
    em.persist(template);
    return { template, defaultList: wanted.defaultList };
  },
  update({ em, now }, { template }, wanted, idOf) {
    em.assign(template, { ...fieldsOf(wanted, idOf), updatedAt: now });
  },
  remove: ({ em }, { template }) => void em.remove(template),
});

async function load({ em, subAccountId }: Work): Promise<Row[]> {
  const templates = await em.find(MailTemplate, { subAccountId }, { orderBy: { id: 'asc' } });
  const lists = await em.find(List, { subAccountId });
  const keys = new Map(lists.map(({ id, key }) => [id, key]));
  return templates.map((template) => ({
    template,
    defaultList: keys.get(template.defaultListId ?? '') ?? null,
  }));
}

const fieldsOf = ({ key, name, html, defaultList }: TemplateEntry, idOf: IdOf) => ({
  key,
  name,
  html,
  defaultListId: defaultList === null ? null : idOf('lists', defaultList),
});
