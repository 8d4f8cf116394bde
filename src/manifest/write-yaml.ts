import { Document, Scalar, visit } from 'yaml';

/** A text that begins or ends with blank lines: as a block it would not come back as it was. */
const BLANK_AT_AN_END = /^\s*\n|\n\s+$/;

/**
 * A manifest as a person would keep it: lines are not folded, so that a change is one line of diff.
 * Ends without the newline that whoever prints it adds.
 */
export function writeYaml(manifest: object): string {
  const document = new Document(manifest);
  visit(document, {
    Scalar(_, scalar) {
      if (typeof scalar.value === 'string' && BLANK_AT_AN_END.test(scalar.value)) {
        scalar.type = Scalar.QUOTE_DOUBLE;
      }
    },
  });
  return document.toString({ lineWidth: 0 }).replace(/\n$/, '');
}
