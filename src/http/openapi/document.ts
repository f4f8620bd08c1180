import type { Middleware } from 'koa';
import type { ErrorCode } from '../../errors.ts';
import { readVersion } from '../../lib/paths.ts';
import { ERROR_ENVELOPE } from '../error-envelope.ts';
import { HEALTH_ANSWER, READINESS_ANSWER } from '../ops/health.ts';
import { CHECK_REQUEST, CHECK_RESPONSE } from '../v1/check.schema.ts';
import { ANYWHERE, HEADERS, headersOf, refusalComponents, refusals } from './responses.ts';

const CHECK: readonly ErrorCode[] = [
  ...ANYWHERE,
  'invalid_json',
  'missing_email',
  'missing_api_key',
  'malformed_api_key',
  'invalid_api_key',
  'body_too_large',
  'unsupported_media_type',
  'unparseable_email',
  'rate_limited',
  'quota_exhausted',
  'unavailable',
];
const SHOW_METRICS: readonly ErrorCode[] = [
  ...ANYWHERE,
  'missing_api_key',
  'invalid_api_key',
  'not_found',
  'rate_limited',
];

const ref = (schema: string) => ({ $ref: `#/components/schemas/${schema}` });
const json = (schema: unknown) => ({ 'application/json': { schema } });

/** The OpenAPI 3.1 description, made of the schemas and tables that the service itself answers by. */
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
      { name: 'operations', description: 'For those who run the service.' },
    ],
    paths: {
      '/v1/': { post: checkOperation() },
      '/healthz': { get: healthOperation() },
      '/readyz': { get: readinessOperation() },
      '/metrics': { get: metricsOperation() },
      '/openapi.json': { get: openApiOperation() },
    },
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
      responses: refusalComponents([CHECK, ANYWHERE, SHOW_METRICS]),
    },
  };
}

function checkOperation() {
  return {
    operationId: 'check',
    tags: ['checks'],
    summary: 'May this email address sign up?',
    description: 'Send what the person typed, untouched. Without the slash at its end the path is the same.',
    security: [{ api_key: [] }],
    parameters: [
      {
        name: 'Request-Id',
        in: 'header',
        description: 'Comes back, and stands in the log.',
        schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' },
      },
    ],
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: ref('check_request'), example: { email: 'Jane.Doe+news@gmail.com' } },
      },
    },
    responses: {
      200: {
        description: 'What the rules say. The one member to act on is `summary.action`.',
        headers: headersOf([
          'Request-Id',
          'Postern-Ruleset',
          'Postern-Degraded',
          'Postern-Environment',
          'RateLimit-Policy',
          'RateLimit',
        ]),
        content: json(ref('check')),
      },
      ...refusals(CHECK),
    },
  };
}

function healthOperation() {
  return {
    operationId: 'health',
    tags: ['operations'],
    summary: 'Does the process answer?',
    security: [],
    responses: {
      200: { description: 'It does.', headers: headersOf(['Request-Id']), content: json(ref('health')) },
      ...refusals(ANYWHERE),
    },
  };
}

function readinessOperation() {
  const answer = { headers: headersOf(['Request-Id']), content: json(ref('readiness')) };
  return {
    operationId: 'readiness',
    tags: ['operations'],
    summary: 'Should traffic be sent here?',
    security: [{}, { metrics_token: [] }],
    responses: {
      200: { description: 'It should.', ...answer },
      ...refusals(ANYWHERE),
      503: { description: 'Some part does not work, or the service is stopping.', ...answer },
    },
  };
}

function metricsOperation() {
  return {
    operationId: 'metrics',
    tags: ['operations'],
    summary: 'What has been counted since the start.',
    description:
      'Where `metrics.token` is set; with `metrics.port` on a port of its own, which needs a token only if one is set.',
    security: [{}, { metrics_token: [] }],
    responses: {
      200: {
        description: 'OpenMetrics text.',
        headers: headersOf(['Request-Id']),
        content: {
          'application/openmetrics-text; version=1.0.0; charset=utf-8': { schema: { type: 'string' } },
        },
      },
      ...refusals(SHOW_METRICS),
    },
  };
}

function openApiOperation() {
  return {
    operationId: 'openapi',
    tags: ['operations'],
    summary: 'This description.',
    security: [],
    responses: {
      200: {
        description: 'OpenAPI 3.1.',
        headers: headersOf(['Request-Id']),
        content: json({ type: 'object' }),
      },
      ...refusals(ANYWHERE),
    },
  };
}

/** `GET /openapi.json`: written once, at the first request. It changes with the version alone. */
export function showOpenApi(): Middleware {
  let text: string | undefined;
  return (ctx) => {
    text ??= JSON.stringify(describeApi(readVersion()));
    ctx.set('Content-Type', 'application/json');
    ctx.set('Cache-Control', 'public, max-age=3600');
    ctx.body = text;
  };
}
