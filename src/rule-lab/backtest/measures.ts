/** What `--fail-on` may ask for; `fail-on.ts` says what each is. */
export const MEASURES = [
  'false_positives',
  'false_negatives',
  'new_false_positives',
  'new_false_negatives',
  'flips',
  'flips_to_block',
  'flips_to_allow',
  'block_rate',
  'false_positive_rate',
  'recall',
  'precision',
  'cases',
] as const;
export type Measure = (typeof MEASURES)[number];
