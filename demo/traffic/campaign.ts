import { FIRST_NAMES } from './names.ts';
import type { Random } from './random.ts';
import { judged, madeUp, type Signup } from './signups.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Domains of the campaign: on no list when it begins, as if they were bought the day before. */
export const CAMPAIGN_DOMAINS = ['postern-demo-drop.top', 'postern-demo-mails.top', 'postern-demo-fast.xyz'];

/** The days of the campaign, counted before the end, with the number of waves on each. */
const DAYS_BEFORE = [
  { daysBefore: 17, waves: 1 },
  { daysBefore: 16, waves: 3 },
  { daysBefore: 15, waves: 3 },
  { daysBefore: 14, waves: 2 },
  { daysBefore: 13, waves: 2 },
  { daysBefore: 12, waves: 1 },
];
const WAVES = DAYS_BEFORE.reduce((sum, { waves }) => sum + waves, 0);

export interface CampaignSignup extends Signup {
  readonly at: number;
}

/** Signups by programs over six days, in waves of half an hour; about `signups` in all. */
export function drawCampaign(until: number, signups: number, random: Random): readonly CampaignSignup[] {
  return DAYS_BEFORE.flatMap(({ daysBefore, waves }) =>
    Array.from({ length: waves }, () => {
      const start = until - daysBefore * DAY_MS + random.below(20) * HOUR_MS;
      const domain = random.pick(CAMPAIGN_DOMAINS);
      return Array.from({ length: random.about(signups / WAVES) }, () => ({
        at: start + random.below(HOUR_MS / 2),
        ...judged('campaign', random, `${localPartOf(random)}@${domain}`),
      }));
    }).flat(),
  );
}

function localPartOf(random: Random): string {
  return random.isOnce(0.7) ? madeUp(random, 12) : `${random.pick(FIRST_NAMES)}${1000 + random.below(9000)}`;
}
