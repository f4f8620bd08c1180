import type { JsonSchema, ThresholdFault } from 'postern/provider-kit';
import type { Figure, Metric } from './figures.ts';

export const LEVELS = ['low', 'medium', 'high'] as const;
export type Level = (typeof LEVELS)[number];

export type CutOffs = Readonly<Record<Metric, { readonly mediumAt: number; readonly highAt: number }>>;

/**
 * Chosen so that .com, .net, .org and the country domains with many ordinary mailboxes (.cn, .ru) stay low and the
 * domains that the reports call out for their rate are high. The README has the figures at these cut-offs.
 */
const DEFAULTS = {
  phishing_per_10k: [55, 200],
  spam_per_10k: [150, 400],
  badness: [6, 9],
} as const satisfies Record<Metric, readonly [medium: number, high: number]>;

const MEANINGS: Readonly<Record<Metric, string>> = {
  phishing_per_10k: 'phishing domains per 10,000 registered domains',
  spam_per_10k: 'spam domains per 10,000 registered domains',
  badness: "Spamhaus' bad/seen × log(bad)",
};

function cutOff(metric: Metric, level: string, value: number): JsonSchema {
  return {
    description: `From this many on the level is ${level}: ${MEANINGS[metric]}.`,
    type: 'number',
    minimum: 0,
    default: value,
  };
}

function section(metric: Metric): JsonSchema {
  const [medium, high] = DEFAULTS[metric];
  return {
    description: `Cut-offs for ${MEANINGS[metric]}.`,
    type: 'object',
    additionalProperties: false,
    properties: { medium_at: cutOff(metric, 'medium', medium), high_at: cutOff(metric, 'high', high) },
    default: { medium_at: medium, high_at: high },
  };
}

export const THRESHOLDS_SCHEMA: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    phishing_per_10k: section('phishing_per_10k'),
    spam_per_10k: section('spam_per_10k'),
    badness: section('badness'),
  },
};

/** A medium cut-off is below its high one, or no domain would ever be medium by it. */
export function checkCutOffs(thresholds: Readonly<Record<string, unknown>>): readonly ThresholdFault[] {
  return Object.entries(readCutOffs(thresholds)).flatMap(([metric, { mediumAt, highAt }]) =>
    mediumAt < highAt
      ? []
      : [{ path: [metric, 'medium_at'], message: `must be below high_at, which is ${highAt}` }],
  );
}

export function readCutOffs(thresholds: Readonly<Record<string, unknown>>): CutOffs {
  const read = (metric: Metric) => {
    // The host has checked the section against the schema above.
    const { medium_at, high_at } = thresholds[metric] as { medium_at: number; high_at: number };
    return { mediumAt: medium_at, highAt: high_at };
  };
  return {
    phishing_per_10k: read('phishing_per_10k'),
    spam_per_10k: read('spam_per_10k'),
    badness: read('badness'),
  };
}

export function levelOf({ metric, value }: Figure, cutOffs: CutOffs): Level {
  const { mediumAt, highAt } = cutOffs[metric];
  if (value >= highAt) return 'high';
  return value >= mediumAt ? 'medium' : 'low';
}

export interface Judgement {
  readonly level: Level;
  /** The figure that gave the level. */
  readonly figure: Figure;
}

/** The worst level that any figure gives to each top-level domain, with the first figure that gives it. */
export function judgeAll(
  figures: ReadonlyMap<string, readonly Figure[]>,
  cutOffs: CutOffs,
): ReadonlyMap<string, Judgement> {
  const judged = [...figures].flatMap(([tld, rows]) => {
    const judgements = rows.map((figure) => ({ level: levelOf(figure, cutOffs), figure }));
    const worst = LEVELS.findLast((level) => judgements.some((row) => row.level === level));
    const decisive = judgements.find(({ level }) => level === worst);
    return decisive ? [[tld, decisive] as const] : [];
  });
  return new Map(judged);
}
