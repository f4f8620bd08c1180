import { SESSION_COOKIE } from '../src/accounts/person.ts';
import { ERRORS, type ErrorCode } from '../src/errors.ts';
import type { Access } from '../src/http/dashboard/access.ts';
import { API_ROOT } from '../src/http/dashboard/dashboard-pages.ts';
import type { Area, Endpoint } from '../src/http/dashboard/endpoint.ts';
import { LINES_TYPE } from '../src/http/dashboard/schema-guard.ts';
import { namedSchemas } from '../src/http/json-types.ts';
import type { JsonSchema } from '../src/provider-kit/index.ts';
import { envelopeSchema } from './envelope.ts';
import { ANYWHERE, HEADERS, headersOf, refusalComponents, refusals } from './responses.ts';

/** The OpenAPI 3.1 description of `/dashboard/api`, built from the declarations that the service itself uses. */
export function describeDashboardApi(areas: readonly Area[], version: string) {
  const schemas = namedSchemas('#/components/schemas');
  const endpoints = areas.flatMap((area) => area.endpoints.map((endpoint) => ({ area, endpoint })));
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { area, endpoint } of endpoints) {
    const { path, method } = endpoint;
    const at = API_ROOT + path;
    paths[at] = { ...paths[at], [method.toLowerCase()]: operationOf(area, endpoint, schemas) };
  }
  const { 'Request-Id': requestId, 'Retry-After': retryAfter, Allow } = HEADERS;
  return {
    openapi: '3.1.0',
    info: {
      title: 'Postern dashboard',
      version,
      summary: 'The management API that the dashboard speaks.',
      description:
        'For people who are signed in, by their session alone: no API key opens anything here, and no session anything ' +
        'of `/v1`. Requests that change something must come from the dashboard’s own origin. The API may change with any version.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The service that answers this.' }],
    tags: areas.map(({ name, description }) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE, description: 'Set by signing in.' },
      },
      headers: {
        'Request-Id': requestId,
        'Retry-After': retryAfter,
        Allow,
        'WWW-Authenticate': {
          description: 'No scheme that a browser knows: people sign in on a page.',
          required: false,
          schema: { type: 'string', pattern: '^Cookie ' },
        },
      },
      schemas: { error_envelope: ENVELOPE, ...schemas.all },
      responses: refusalComponents(endpoints.map(({ endpoint }) => refusalsOf(endpoint))),
    },
  };
}

type Schemas = ReturnType<typeof namedSchemas>;

function operationOf({ name }: Area, endpoint: Endpoint, schemas: Schemas) {
  const { operationId, summary, description, access, body, answer, status } = endpoint;
  const content = (mediaType: string, schema: JsonSchema) => ({
    [mediaType]: { schema: schemas.refer(schema) },
  });
  const answered =
    (answer.schema && content('application/json', answer.schema)) ??
    (answer.lines && content(LINES_TYPE, answer.lines)) ??
    (answer.mediaType && content(answer.mediaType, { type: 'string' }));
  return {
    operationId,
    tags: [name],
    summary,
    description: [description, whoMay(access)].filter(Boolean).join('\n\n'),
    security: access === 'anyone' ? [] : [{ session: [] }],
    parameters: [...pathParameters(endpoint), ...queryParameters(endpoint, schemas)],
    ...(body && { requestBody: { required: true, content: content('application/json', body) } }),
    responses: {
      [status]: {
        description: answer.description,
        headers: headersOf(['Request-Id']),
        ...(answered && { content: answered }),
      },
      ...refusals(refusalsOf(endpoint)),
    },
  };
}

function whoMay(access: Access): string {
  if (access === 'anyone') return '';
  if (access === 'signed_in') return 'For every person who is signed in.';
  if ('operator' in access) return access.operator === 'owner' ? 'For owners.' : 'For analysts and owners.';
  return access.account === 'developer'
    ? 'For developers of the account, and owners.'
    : 'For members of the account, analysts and owners.';
}

function pathParameters({ path }: Endpoint) {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters({ query }: Endpoint, schemas: Schemas) {
  // `areaOf` takes only object schemas for queries.
  const { properties = {}, required = [] } = (query ?? {}) as {
    properties?: Record<string, JsonSchema>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name) && !('default' in schema),
    ...('description' in schema && { description: schema.description }),
    schema: schemas.refer(schema),
  }));
}

const ENVELOPE = envelopeSchema(Object.keys(ERRORS), {
  description: 'What exactly is wrong, where the code alone does not tell.',
  type: 'array',
  items: {
    type: 'object',
    properties: { path: { type: 'string' }, message: { type: 'string' } },
    required: ['message'],
  },
});

/** Every code that an endpoint may refuse with: those of its guards, and those that it declares. */
function refusalsOf({ access, method, path, query, body, refusals = [] }: Endpoint): ErrorCode[] {
  const isRestricted = typeof access === 'object';
  const codes: readonly (ErrorCode | false)[] = [
    ...ANYWHERE,
    access !== 'anyone' && 'not_signed_in',
    isRestricted && 'forbidden',
    path.includes('{') && 'not_found',
    method !== 'GET' && 'foreign_origin',
    (query ?? body) !== undefined && 'invalid_request',
    ...(body ? (['invalid_json', 'unsupported_media_type', 'body_too_large'] as const) : []),
    // Every endpoint reads the session from the database.
    'unavailable',
    ...refusals,
  ];
  return [...new Set(codes.filter((code) => code !== false))];
}
