import { defineArea } from '../area.ts';
import { presentDecision } from '../decision.presenter.ts';
import { DECISION } from '../decision.schema.ts';
import { endpointsWith } from '../endpoint.ts';
import { LINES_TYPE, linesOf } from '../json-lines.ts';
import { closed } from '../json-types.ts';
import { presentBegun, presentEvent, presentFacts } from './try-it.presenter.ts';
import { BENCH, TRIAL_EVENT, TRIED_FACTS } from './try-it.schema.ts';
import { TryItServices } from './try-it-services.ts';

const define = endpointsWith<TryItServices>();
const writeEvents = linesOf(TRIAL_EVENT, 'try_address');

const showBench = define({
  method: 'GET',
  path: '/try-it',
  operationId: 'show_try_it',
  summary: 'The facts that can be tried.',
  access: 'signed_in',
  answer: { status: 200, description: 'Each fact of the catalogue.', schema: BENCH },
  handle: ({ tryIt, deadlineMs }) => ({ facts: presentFacts(tryIt.catalogue), deadline_ms: deadlineMs }),
});

const tryAddress = define({
  method: 'POST',
  path: '/try-it',
  operationId: 'try_address',
  summary: 'Assess an address, told piece by piece.',
  description:
    'As a check with a live key would, and recorded nowhere: no quota is spent and nothing is counted, so that `velocity.*` is unknown. ' +
    'A line each: `begun`, an `answer` of every provider when it is there, `so_far` what the rules make of what is known until then, `decided` at the end. Without the last the answer broke off.',
  access: 'signed_in',
  body: closed({ email: { type: 'string', maxLength: 2_000 } }),
  answer: {
    status: 200,
    description: 'What happened, when it happened.',
    mediaType: LINES_TYPE,
    lines: TRIAL_EVENT,
  },
  refusals: ['unparseable_email', 'rate_limited'],
  handle: async (services, { person, body }) => {
    await services.admitTrial(person);
    const { tryIt, ids, providers, deadlineMs } = services;
    const trial = tryIt.begin(body.email);
    const reader = { isOperator: person.operatorRole !== null, id: ids.check() };
    async function* tell() {
      yield presentBegun(trial, providers, deadlineMs);
      for await (const event of trial.events) yield presentEvent(trial, event, reader);
    }
    return writeEvents(tell());
  },
});

const decideFacts = define({
  method: 'POST',
  path: '/try-it/decision',
  operationId: 'decide_facts',
  summary: 'What the rules in force make of given facts.',
  access: 'signed_in',
  body: TRIED_FACTS,
  answer: { status: 200, description: 'The decision.', schema: closed({ decision: DECISION }) },
  refusals: ['rate_limited'],
  handle: async (services, { person, body }) => {
    await services.admitDecision(person);
    const { decision } = await services.tryIt.decide(body.facts);
    return { decision: presentDecision(decision) };
  },
});

export const TRY_IT = defineArea({
  name: 'try-it',
  description: 'Assess an address and look on; nothing of it is recorded.',
  services: TryItServices,
  endpoints: [showBench, tryAddress, decideFacts],
});
