// Written by `node sdk/generate.ts` from the declarations in src/.

export interface ContactEvents {
  /** Fires when: contact created. */
  'contact.created': {
    firstName: string | null;
    lastName: string | null;
    email: string | null;
    phone: string | null;
    company: string | null;
    source: string | null;
    tags: string[];
    lifecycleStage: string | null;
  };
  /** Fires when: contact updated. */
  'contact.updated': {
    firstName: string | null;
    lastName: string | null;
    email: string | null;
    phone: string | null;
    company: string | null;
    lifecycleStage: string | null;
  };
  /** Fires when: lifecycle stage changed. */
  'contact.lifecycle_changed': {
    newStage: string;
    previousStage: string;
  };
  /** Fires when: tag added, once per tag. */
  'contact.tag_added': {
    tagName: string;
  };
}
