import { randomBase62 } from '../../accounts/keys/base62.ts';

/** 238 bits. */
const CHARACTERS = 40;

/** What signs a subscription's deliveries, prefix included. */
export const newSecret = (): string => `whsec_${randomBase62(CHARACTERS)}`;
