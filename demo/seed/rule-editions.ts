import type { RuleFiles } from '../../src/rules/rule-files.ts';
import type { RuleVersion } from '../../src/storage/rule-ports.ts';
import { CAMPAIGN_DOMAINS } from '../traffic/campaign.ts';
import { FIRM_DOMAINS } from '../traffic/signups.ts';
import { isoOf, momentOf } from './moments.ts';
import { PROMOTED_TESTS, SIGNUP_GROUP, SIGNUP_TESTS, withLive } from './signup-rules.ts';

/** A state of the rules directory, and how it came to be. Its number is the version that it becomes. */
export interface RuleEdition extends Pick<RuleVersion, 'version' | 'reason' | 'author' | 'restores'> {
  /** In ms since the epoch. */
  readonly at: number;
  readonly files: RuleFiles;
}

const MIRA = 'mira.holm@postern-demo.example';
const TOMAS = 'tomas.reyes@postern-demo.example';

/** What a month of work on the shipped rules looks like: additions, a mistake that is taken back, a promotion. */
export function ruleEditions(shipped: RuleFiles, from: number, until: number): readonly RuleEdition[] {
  const dateOf = (daysAhead: number) => isoOf(momentOf(until, -daysAhead, 0)).slice(0, 10);
  const begun = withEntries(shipped, 'allow.yaml', [
    {
      value: FIRM_DOMAINS[2] ?? '',
      reason: 'Partner: their buyers share one mailbox each.',
      owner: 'sales',
      expires: dateOf(150),
    },
    { value: FIRM_DOMAINS[5] ?? '', reason: 'Our own agency tests from there.', owner: 'web' },
  ]);
  // The first edition is stricter: fewer addresses of one owner are worth a look.
  const careful = {
    ...begun,
    'velocity.yaml': (begun['velocity.yaml'] ?? '').replace('{ value: 4,', '{ value: 3,'),
  };
  const tried = { ...begun, 'signup.yaml': SIGNUP_GROUP, 'tests/signup.yaml': SIGNUP_TESTS };
  const denied = withEntries(
    tried,
    'deny.yaml',
    CAMPAIGN_DOMAINS.map((value) => ({
      value,
      reason: 'Hundreds of signups in waves, none of a person.',
      owner: 'risk',
      expires: dateOf(21),
    })),
  );
  const tooMuch = withEntries(denied, 'deny.yaml', [
    { value: 'proton.me', reason: 'The bots of last week used it.', owner: 'risk' },
  ]);
  const promoted = withEntries(
    {
      ...denied,
      'signup.yaml': withLive(SIGNUP_GROUP, 'made_up_at_risky_ending'),
      'tests/signup.yaml': `${SIGNUP_TESTS}${PROMOTED_TESTS}`,
    },
    'allow.yaml',
    [{ value: 'anna.berg@gmx.de', reason: 'Customer since 2019, refused by mistake.', owner: 'support' }],
  );
  const editions = [
    { at: from, reason: 'start', author: MIRA, restores: null, files: careful },
    { at: momentOf(until, 23, 9, 42), reason: 'change', author: TOMAS, restores: null, files: tried },
    { at: momentOf(until, 14, 8, 15), reason: 'change', author: MIRA, restores: null, files: denied },
    { at: momentOf(until, 11, 9, 12), reason: 'change', author: TOMAS, restores: null, files: tooMuch },
    { at: momentOf(until, 11, 11, 57), reason: 'rollback', author: MIRA, restores: 3, files: denied },
    { at: momentOf(until, 6, 14, 30), reason: 'change', author: TOMAS, restores: null, files: promoted },
  ] as const;
  return editions.map((edition, before) => ({ ...edition, version: before + 1 }));
}

/** Rules that are run beside those in force: they block earlier. */
export function challengerFiles(files: RuleFiles): RuleFiles {
  const rules = Object.entries(files).filter(([path]) => !path.includes('/'));
  return Object.fromEntries(
    rules.map(([path, text]) => [
      path,
      path === 'decision.yaml' ? text.replace('block_score: { value: 70', 'block_score: { value: 55') : text,
    ]),
  );
}

interface Entry {
  readonly value: string;
  readonly reason: string;
  readonly owner: string;
  readonly expires?: string;
}

/** The comments of the shipped file stay; JSON in a line is YAML. */
function withEntries(files: RuleFiles, path: string, entries: readonly Entry[]): RuleFiles {
  const lines = entries.map((entry) => `- ${JSON.stringify(entry)}\n`);
  return { ...files, [path]: `${files[path] ?? ''}${lines.join('')}` };
}
