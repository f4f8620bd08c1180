import { drawCampaign } from './campaign.ts';
import type { Random } from './random.ts';
import { instantsOf, OFFICES, type Rhythm, SHOPPERS } from './rhythm.ts';
import { drawSignup, type Mixture, OFFICE_MIXTURE, SHOP_MIXTURE, type Signup } from './signups.ts';

/** The sources of checks, each with a key of its own. */
const SENDERS = ['shop_web', 'shop_app', 'shop_test', 'office_web', 'office_import'] as const;
export type Sender = (typeof SENDERS)[number];

/** One check to be made. */
export interface PlannedCheck extends Signup {
  /** In ms since the epoch. */
  readonly at: number;
  readonly sender: Sender;
}

interface Share {
  readonly sender: Sender;
  /** The share of all checks. */
  readonly share: number;
  readonly rhythm: Rhythm;
  readonly mixture: Mixture;
}

const SHARES: readonly Share[] = [
  { sender: 'shop_web', share: 0.48, rhythm: SHOPPERS, mixture: SHOP_MIXTURE },
  { sender: 'shop_app', share: 0.2, rhythm: SHOPPERS, mixture: SHOP_MIXTURE },
  { sender: 'shop_test', share: 0.01, rhythm: OFFICES, mixture: SHOP_MIXTURE },
  { sender: 'office_web', share: 0.17, rhythm: OFFICES, mixture: OFFICE_MIXTURE },
];
const CAMPAIGN_SHARE = 0.07;
const IMPORT_SHARE = 0.07;
/** The share of signups that are checked again 20 to 140 seconds later, as after a mistyped password. */
const AGAIN = 0.03;

const DAY_MS = 86_400_000;
export const DAYS = 30;

/** Thirty days of signups that end at `until`, in order; about `checks` in all. */
export function planTraffic(until: number, checks: number, random: Random): readonly PlannedCheck[] {
  const from = until - DAYS * DAY_MS;
  const ordinary = SHARES.flatMap(({ sender, share, rhythm, mixture }) => {
    const stream = random.stream(sender);
    const span = { from, until, checks: (checks * share) / (1 + AGAIN) };
    return instantsOf(rhythm, span, stream).flatMap((at) => {
      const once = { at, sender, ...drawSignup(mixture, stream) };
      const again = at + 20_000 + stream.below(120_000);
      return stream.isOnce(AGAIN) && again < until ? [once, { ...once, at: again }] : [once];
    });
  });
  const campaign = drawCampaign(until, checks * CAMPAIGN_SHARE, random.stream('campaign')).map((signup) => ({
    ...signup,
    sender: 'shop_web' as const,
  }));
  const imported = drawImports(from, until, checks * IMPORT_SHARE, random.stream('import'));
  return [...ordinary, ...campaign, ...imported].sort((one, other) => one.at - other.at);
}

/** Each Monday at 06:00 UTC a firm's list of customers, one after the other. */
function drawImports(from: number, until: number, checks: number, random: Random): readonly PlannedCheck[] {
  const mondays: number[] = [];
  for (let day = Math.ceil(from / DAY_MS) * DAY_MS; day < until - DAY_MS; day += DAY_MS) {
    if (new Date(day).getUTCDay() === 1) mondays.push(day + DAY_MS / 4);
  }
  return mondays.flatMap((start) =>
    Array.from({ length: random.about(checks / mondays.length) }, (_, n) => ({
      at: start + n * 1_500 + random.below(1_000),
      sender: 'office_import' as const,
      ...drawSignup(OFFICE_MIXTURE, random),
    })),
  );
}
