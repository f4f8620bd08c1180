import type { Person } from '../../../accounts/person.ts';
import { CHECK_IDS } from '../../../checks/check-service.ts';
import type { Trial, TrialEvent } from '../../../checks/try-it.ts';
import { TryIt } from '../../../checks/try-it.ts';
import { injectable } from '../../../di.ts';
import { AppError } from '../../../errors.ts';
import type { SignalProvider } from '../../../provider-kit/index.ts';
import { describeFacts } from '../../../rules/described-facts.ts';
import { InMemoryRateLimiter } from '../../../shared-state/memory/rate-limiter.ts';
import type { RateLimiter } from '../../../shared-state/ports.ts';
import { CHECK_DEADLINE_MS } from '../../../signals/provider-ports.ts';
import { SignalCollector } from '../../../signals/signal-collector.ts';
import { COUNT, closed, INTEGER, listOf, named, nullable, TEXT } from '../../json-types.ts';
import { presentCheck } from '../../v1/check.presenter.ts';
import { DECISION, FACT_VALUE, FACTS, presentDecision, REASONS, shownEvidence } from '../decision.ts';
import { areaOf } from '../endpoint.ts';
import { RULE_FACTS } from './rules.presenter.ts';

const JSON_OBJECT = { type: 'object' } as const;

const BEGUN = closed({
  event: { const: 'begun' },
  email: TEXT,
  canonical: TEXT,
  deadline_ms: INTEGER,
  providers: listOf(
    closed({ id: TEXT, stage: { type: 'string', enum: ['local', 'network'] }, description: TEXT }),
  ),
});

const ANSWER = closed({
  event: { const: 'answer' },
  provider: TEXT,
  outcome: { ...TEXT, description: '`known`, or the first reason why something is not.' },
  facts: FACTS,
  unknown: REASONS,
  evidence: nullable(JSON_OBJECT),
  took_us: { ...COUNT, description: '0 where the answer was kept from an earlier check.' },
  at_us: { ...COUNT, description: 'When it was there, since the trial began.' },
});

const SO_FAR = closed({ event: { const: 'so_far' }, decision: DECISION, at_us: COUNT });

const DECIDED = closed({
  event: { const: 'decided' },
  decision: DECISION,
  facts: FACTS,
  unknown: REASONS,
  degraded: listOf(TEXT),
  at_us: COUNT,
  response: { ...JSON_OBJECT, description: 'What `POST /v1/` would have answered.' },
});

const TRIAL_EVENT = named('trial_event', { anyOf: [BEGUN, ANSWER, SO_FAR, DECIDED] });

const TRIED_FACTS = closed({
  facts: {
    type: 'object',
    description: 'By id; null is unknown, and so is what is left out.',
    additionalProperties: FACT_VALUE,
  },
});

/** Each trial asks other people's DNS servers: enough for a person who types, too few to look up names in bulk. */
const TRIALS_A_MINUTE = 30;
/** The page asks for a decision at each step of a slider. */
const DECISIONS_A_MINUTE = 600;

@injectable()
export class TrialLimits {
  readonly trials = new InMemoryRateLimiter(TRIALS_A_MINUTE, 60);
  readonly decisions = new InMemoryRateLimiter(DECISIONS_A_MINUTE, 60);
}

const NEEDS = {
  tryIt: TryIt,
  nextId: CHECK_IDS,
  collector: SignalCollector,
  deadlineMs: CHECK_DEADLINE_MS,
  limits: TrialLimits,
};
const { define, area } = areaOf(
  'try-it',
  'Assess an address step by step; nothing of it is recorded.',
  NEEDS,
  'signed_in',
);

/** Throws AppError `rate_limited`. */
async function admit(limiter: RateLimiter, { id }: Person): Promise<void> {
  const { allowed, resetMs } = await limiter.consume(id);
  if (!allowed) throw new AppError('rate_limited', { retryAfterMs: resetMs });
}

export const TRY_IT = area({
  show_try_it: define('GET /try-it', {
    summary: 'The facts that can be tried.',
    answer: { description: 'Each fact of the catalogue.', schema: closed({ facts: RULE_FACTS }) },
    handle: ({ collector }) => ({ facts: describeFacts(collector.catalogue) }),
  }),

  try_address: define('POST /try-it', {
    summary: 'Assess an address, told piece by piece.',
    description:
      'As a check with a live key would, and recorded nowhere: no quota is spent and nothing is counted, so that `velocity.*` is unknown. ' +
      'A line each: `begun`, an `answer` of every provider when it is there, `so_far` what the rules make of what is known until then, `decided` at the end. Without the last the answer broke off.',
    body: closed({ email: { type: 'string', maxLength: 2_000 } }),
    answer: { description: 'One line for each event, when it happens.', lines: TRIAL_EVENT },
    refusals: ['unparseable_email', 'rate_limited'],
    handle: async ({ tryIt, nextId, collector, deadlineMs, limits }, { person, body }) => {
      await admit(limits.trials, person);
      const trial = tryIt.begin(body.email);
      const isOperator = person.operatorRole !== null;
      const id = nextId();
      async function* tell() {
        yield presentBegun(trial, collector.providers, deadlineMs);
        for await (const event of trial.events) yield presentEvent(trial, event, isOperator, id);
      }
      return tell();
    },
  }),

  decide_facts: define('POST /try-it/decision', {
    summary: 'What the rules in force make of given facts.',
    body: TRIED_FACTS,
    answer: { description: 'The decision.', schema: closed({ decision: DECISION }) },
    refusals: ['rate_limited'],
    handle: async ({ tryIt, limits }, { person, body }) => {
      await admit(limits.decisions, person);
      const { decision, rollouts } = await tryIt.decide(body.facts);
      return { decision: presentDecision(decision, rollouts) };
    },
  }),
});

function presentBegun({ address }: Trial, providers: readonly SignalProvider[], deadlineMs: number) {
  return {
    event: 'begun' as const,
    email: address.raw,
    canonical: address.canonical.address,
    deadline_ms: deadlineMs,
    providers: providers.map(({ id, stage, description }) => ({ id, stage, description })),
  };
}

/** `id` is the one that the check would have had. */
function presentEvent({ address }: Trial, event: TrialEvent, isOperator: boolean, id: string) {
  if (event.event === 'answer') return { ...event, evidence: shownEvidence(event.evidence, isOperator) };
  const decision = presentDecision(event.decision, event.rollouts);
  if (event.event === 'so_far') return { event: event.event, decision, at_us: event.at_us };
  const { signals, at: createdAt } = event;
  return {
    event: event.event,
    decision,
    facts: event.facts,
    unknown: signals.unknown,
    degraded: signals.degraded,
    at_us: event.at_us,
    response: JSON.parse(presentCheck({ id, createdAt, address, signals, decision: event.decision })),
  };
}
