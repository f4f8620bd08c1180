import type { JsonSchema } from 'postern/provider-kit';

/** Points of evidence; `THRESHOLDS_SCHEMA` says what each is. */
export interface Weights {
  readonly knownAt: number;
  readonly suspectAt: number;
  readonly votes: Readonly<Record<string, number>>;
  readonly otherVote: number;
  readonly halfLifeDays: number;
  readonly withdrawnHalfLifeDays: number;
  readonly withdrawnKeeps: number;
  readonly suffixChild: number;
  readonly ownerChild: number;
  readonly dynamicChild: number;
  readonly parentAtMost: number;
  readonly backend: number;
  readonly name: number;
  readonly ambiguousName: number;
  readonly freeProvider: number;
  readonly established: number;
}

/**
 * Points for the vote of each list, by what the labelled data say of the list: how many of the abused domains it alone names, and how many
 * domains that are not disposable. The README has the figures.
 */
const VOTES = {
  disposable_email_domains_js: 100,
  fakefilter: 48,
  confirmed_services: 45,
  disposable_disposable: 45,
  disposable_domains: 80,
  is_burner_email: 60,
  disposable_email_domains: 30,
  mailchecker: 25,
};

const VOTE: JsonSchema = { type: 'integer', minimum: 0, maximum: 1_000 };

function points(description: string, value: number): JsonSchema {
  return { description, type: 'integer', minimum: 0, maximum: 1_000, default: value };
}

export const THRESHOLDS_SCHEMA: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    known_at: {
      ...points('From how many points of evidence a domain is known as disposable.', 50),
      minimum: 1,
    },
    suspect_at: {
      ...points('From how many points of evidence disposable.basis tells what it rests on.', 25),
      minimum: 1,
    },
    votes: {
      description: 'Points for the vote of a list, by its id, while the list names the domain.',
      type: 'object',
      properties: Object.fromEntries(Object.keys(VOTES).map((id) => [id, VOTE])),
      // The id of a downloaded list ends with eight digits that are made of its address.
      patternProperties: { '^[a-z][a-z0-9_]*_[0-9a-f]{8}$': VOTE },
      additionalProperties: false,
      default: VOTES,
    },
    other_vote: points('Points for the vote of a list that has none of its own.', 55),
    half_life_days: {
      description: 'Days after which the vote of a list that has not come out again is worth half.',
      type: 'integer',
      minimum: 1,
      maximum: 36_500,
      default: 1_460,
    },
    withdrawn_half_life_days: {
      description:
        'Days after which the vote of a shipped list is worth half for a domain that its newest version no longer names.',
      type: 'integer',
      minimum: 1,
      maximum: 36_500,
      default: 90,
    },
    withdrawn_keeps: {
      description: 'Share of a vote that stays when it was withdrawn long ago, 0 to 1.',
      type: 'number',
      minimum: 0,
      maximum: 1,
      default: 0.3,
    },
    suffix_child: points(
      'Points for each known disposable neighbour under a host where every person can get a subdomain.',
      10,
    ),
    dynamic_child: points(
      'Points for each known disposable neighbour at a host of dynamic DNS or free hosting, where they never make a domain known.',
      1,
    ),
    owner_child: points('Points for each known disposable subdomain of the same registered domain.', 25),
    parent_at_most: points('What neighbours can be worth together.', 60),
    backend: points('Points when mail goes to a host whose domains are nearly all disposable.', 80),
    name: points('Points for a name that only throw-away mail services give themselves.', 50),
    ambiguous_name: points('Points for a name that throw-away mail services share with others.', 30),
    free_provider: points('Points that a big free mail provider is let off.', 100),
    established: points(
      'Points that a known firm, a much visited site, a school, a university or an authority is let off.',
      100,
    ),
  },
};

/** Takes the section as the host hands it over: checked, defaults filled in. */
export function readWeights(section: Readonly<Record<string, unknown>>): Weights {
  const number = (name: string) => section[name] as number;
  return {
    knownAt: number('known_at'),
    suspectAt: number('suspect_at'),
    votes: section.votes as Weights['votes'],
    otherVote: number('other_vote'),
    halfLifeDays: number('half_life_days'),
    withdrawnHalfLifeDays: number('withdrawn_half_life_days'),
    withdrawnKeeps: number('withdrawn_keeps'),
    suffixChild: number('suffix_child'),
    ownerChild: number('owner_child'),
    dynamicChild: number('dynamic_child'),
    parentAtMost: number('parent_at_most'),
    backend: number('backend'),
    name: number('name'),
    ambiguousName: number('ambiguous_name'),
    freeProvider: number('free_provider'),
    established: number('established'),
  };
}
