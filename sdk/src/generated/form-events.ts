// Written by `node sdk/generate.ts` from the declarations in src/.

export interface FormEvents {
  /** Fires when: a public form was submitted. */
  'form.submitted': {
    formId: string;
    submissionId: string;
    formName: string;
    /** the submitted values by the form's field names */
    fields: Record<string, unknown>;
  };
}
