// Written by `node sdk/generate.ts` from the declarations in src/.

export interface ContactEvents {
  /** Fires when: a contact was created. */
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
  /** Fires when: a contact was changed. */
  'contact.updated': {
    firstName: string | null;
    lastName: string | null;
    email: string | null;
    phone: string | null;
    company: string | null;
    lifecycleStage: string | null;
  };
  /** Fires when: the lifecycle stage of a contact changed. */
  'contact.lifecycle_changed': {
    newStage: string;
    previousStage: string;
  };
  /** Fires when: a tag was added to a contact; one event per tag. */
  'contact.tag_added': {
    tagName: string;
  };
}
