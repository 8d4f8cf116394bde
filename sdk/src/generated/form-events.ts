// Written by `node sdk/generate.ts` from the declarations in src/.

export interface FormEvents {
  /** Fires when: somebody submitted a public form. */
  'form.submitted': {
    formId: string;
    submissionId: string;
    formName: string;
    /** the submitted values by the form's field names */
    fields: Record<string, unknown>;
  };
}
