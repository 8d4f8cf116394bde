import { EntryListField } from './entry-list.tsx';
import {
  FieldGroup,
  FieldInput,
  type FieldGroupProps,
  type FieldInputProps,
} from './field-input.tsx';

/** The declared fields of a form over the manifest. */
export const EntryFields = ({ form }: Pick<FieldGroupProps, 'form'>) => (
  <FieldGroup form={form} Input={EntryInput} />
);

const EntryInput = (props: FieldInputProps) =>
  props.field.kind === 'list' ? <EntryListField {...props} /> : <FieldInput {...props} />;
