/** What became of a signup, told by somebody who knows: a customer, an analyst, a chargeback. */
export const LABELS = ['good', 'bad'] as const;
export type Label = (typeof LABELS)[number];
