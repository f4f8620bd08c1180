import { type ErrorCode, SERVICE_ERRORS } from '../src/errors.ts';
import { closed, TEXT } from '../src/http/json-types.ts';
import { CHECK_RESPONSE } from '../src/http/v1/check.presenter.ts';
import type { JsonSchema } from '../src/provider-kit/index.ts';
import { ERROR_ENVELOPE } from './envelope.ts';
import {
  ANYWHERE,
  HEADERS,
  type HeaderName,
  headersOf,
  OF_KEY,
  refusalComponents,
  refusals,
} from './responses.ts';

/** The body of POST /v1/. Other members are ignored. `readEmail` is the guard, and a test compares the two. */
const CHECK_REQUEST: JsonSchema = {
  type: 'object',
  properties: { email: TEXT },
  required: ['email'],
};

const HEALTH_ANSWER: JsonSchema = closed({ status: { type: 'string', enum: ['ok'] } });

/** The answer of GET /readyz, whichever its status is. */
const READINESS_ANSWER: JsonSchema = closed(
  {
    status: { type: 'string', enum: ['ready', 'not_ready'] },
    states: {
      description: 'Each part: it works, checks do without it, or traffic should go elsewhere.',
      type: 'object',
      additionalProperties: { type: 'string', enum: ['ok', 'degraded', 'failing'] },
    },
    reasons: {
      description: 'Why, for each part that is not ok; shown only with `metrics.token`.',
      type: 'object',
      additionalProperties: { type: 'string' },
    },
  },
  ['reasons'],
);

/** Every refusal of the service but `not_found`. */
const CHECK = (Object.keys(SERVICE_ERRORS) as ErrorCode[]).filter((code) => code !== 'not_found');
/** Statuses of refusals after the key is known. Refusals with other statuses come before that, or beside a route. */
const REFUSED_WITH_KEY = [400, 413, 415, 422, 429, 500, 503];
const SHOW_METRICS: readonly ErrorCode[] = [
  ...ANYWHERE,
  'missing_api_key',
  'invalid_api_key',
  'not_found',
  'rate_limited',
];

const ref = (schema: string) => ({ $ref: `#/components/schemas/${schema}` });
const json = (schema: unknown) => ({ 'application/json': { schema } });
/** The response where nothing is refused. */
const answer = (description: string, content: object, headers: readonly HeaderName[] = []) => ({
  description,
  headers: headersOf(['Request-Id', ...headers]),
  content,
});

const get = (operationId: string, summary: string, responses: object, more: object = { security: [] }) => ({
  get: { operationId, tags: ['operations'], summary, ...more, responses },
});

/** The answer to the request's example, as README shows it too. */
const CHECK_EXAMPLE = {
  id: 'chk_01M7WDQB9XHY5YE2FG132XGEK8',
  created_at: '2026-11-20T12:08:28.731Z',
  summary: { action: 'ALLOW', risk_score: 0, risk_level: 'low' },
  normalized: {
    raw: 'Jane.Doe+news@gmail.com',
    canonical: 'janedoe@gmail.com',
    local_part: 'janedoe',
    domain: 'gmail.com',
    subaddress: 'news',
    has_dots_removed: true,
  },
  signals: {
    syntax: { valid_format: true },
    entropy: { score: 2.5216, suspicious: false },
    domain: {
      is_known_disposable: false,
      is_known_free_provider: true,
      has_mx: true,
      is_catch_all: false,
      is_role_account: false,
      tld_risk_level: 'low',
    },
  },
};

const PATHS = {
  '/v1/': {
    post: {
      operationId: 'check',
      tags: ['checks'],
      summary: 'May this email address sign up?',
      description:
        'Send what the person typed, untouched. Without the slash at its end the path is the same.',
      security: [{ api_key: [] }],
      parameters: [
        {
          name: 'Request-Id',
          in: 'header',
          description: 'Comes back, and stands in the log.',
          schema: HEADERS['Request-Id'].schema,
        },
      ],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: ref('check_request'),
            example: { email: 'Jane.Doe+news@gmail.com' },
          },
        },
      },
      responses: {
        200: answer(
          'What the rules say. The one member to act on is `summary.action`.',
          { 'application/json': { schema: ref('check'), example: CHECK_EXAMPLE } },
          ['Postern-Ruleset', 'Postern-Degraded', 'Postern-Suggestion', ...OF_KEY],
        ),
        ...refusals(CHECK),
      },
    },
  },
  '/healthz': get('health', 'Does the process answer?', {
    200: answer('It does.', json(ref('health'))),
    ...refusals(ANYWHERE),
  }),
  '/readyz': get(
    'readiness',
    'Should traffic be sent here?',
    {
      200: answer('It should.', json(ref('readiness'))),
      ...refusals([...ANYWHERE, 'rate_limited']),
      503: answer('Some part does not work, or the service is stopping.', json(ref('readiness'))),
    },
    { security: [{}, { metrics_token: [] }] },
  ),
  '/metrics': get(
    'metrics',
    'What has been counted since the start.',
    {
      200: answer('OpenMetrics text.', {
        'application/openmetrics-text; version=1.0.0; charset=utf-8': { schema: { type: 'string' } },
      }),
      ...refusals(SHOW_METRICS),
    },
    {
      description:
        'Where `metrics.token` is set; with `metrics.port` on a port of its own, which needs a token only if one is set.',
      security: [{}, { metrics_token: [] }],
    },
  ),
  '/openapi.json': get('openapi', 'This description.', {
    200: answer('OpenAPI 3.1.', json({ type: 'object' })),
    ...refusals(ANYWHERE),
  }),
};

/** The OpenAPI 3.1 description, built from the schemas and tables that the service itself uses. */
export function describeApi(version: string) {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Postern',
      version,
      summary: 'Signup risk scoring for email addresses: one call, an explained decision.',
      description:
        'Never treat an error as BLOCK: give each try a second, retry twice with backoff and jitter as ' +
        '`Retry-After` says, then create the account and check later.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The service that answers this.' }],
    tags: [
      { name: 'checks', description: 'For the backend of a signup.' },
      { name: 'operations', description: 'For operators of the service.' },
    ],
    paths: PATHS,
    components: {
      securitySchemes: {
        api_key: {
          type: 'http',
          scheme: 'bearer',
          description: '`pst_live_…`, or `pst_test_…` for the fixed world of tests. Keys live on servers.',
        },
        metrics_token: { type: 'http', scheme: 'bearer', description: '`metrics.token`.' },
      },
      headers: HEADERS,
      schemas: {
        check_request: CHECK_REQUEST,
        check: CHECK_RESPONSE,
        error_envelope: ERROR_ENVELOPE,
        health: HEALTH_ANSWER,
        readiness: READINESS_ANSWER,
      },
      responses: refusalComponents([CHECK, ANYWHERE, SHOW_METRICS], REFUSED_WITH_KEY),
    },
  };
}
